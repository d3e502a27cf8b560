// What a replay says of its moves: list, values over time, and the cards with the bots' notes.
// `replay` is what `arena.report_replays.replay` returns; `winner` also takes a summary.
"use strict";

/** The seat with the highest return, null where several have it. */
function winner(match) {
  const best = Math.max(...match.returns);
  const seats = match.returns.flatMap((value, seat) => value === best ? [seat] : []);
  return seats.length === 1 ? seats[0] : null;
}

function who(replay, player) {
  return player < 0 ? "chance" : replay.seats[player];
}

function moveName(moves) {
  return moves.map((move) => move.name).join(" · ");
}

/** A text of the replay, from the numbers of its lines. */
function textOf(replay, numbers) {
  return numbers.map((line) => replay.lines[line]).join("\n");
}

/** The sign by which a player is known in this match: the player's piece, or a dot. */
function pieceOf(replay, player) {
  return Object.values(replay.board ? replay.board.pieces : {}).find(
    (one) => one.player === player && one.sign !== "king")
    || {sign: "disc", colour: ["red", "blue", "yellow", "plain"][player % 4]};
}

function badge(replay, player) {
  return svg("svg", {viewBox: "0 0 40 40", class: "badge", "aria-hidden": "true"}, player < 0
    ? svg("text", {x: 20, y: 32, class: "chance"}, "⚄") : drawPiece(pieceOf(replay, player), 20, 20, 44));
}

/** One item for each step, with a button that names the frame it leads to. */
function moveItems(replay) {
  return replay.steps.map((moves, index) => {
    const time = Math.max(...moves.map((move) => move.seconds ?? -1));
    const told = index < replay.opening ? "opening" : time < 0 ? "" : seconds(time);
    return html("li", {}, html("button", {type: "button", "data-frame": index + 1},
      html("span", {class: "count"}, String(index + 1)), ...moves.map((move) => badge(replay, move.player)),
      html("span", {class: "name"}, moveName(moves)), html("span", {class: "time"}, told)));
  });
}

/** How each player valued its chosen moves: a plot and its range, null where notes hold too few values. */
function valuePlot(replay) {
  const series = replay.seats.map((_, seat) => replay.steps.flatMap((moves, index) => moves.flatMap(
    (move) => move.player === seat && move.value !== undefined ? [[index + 1, move.value]] : [])));
  const values = series.flat().map(([, value]) => value);
  if (values.length < 3) {
    return null;
  }
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const x = (step) => 1000 * step / replay.steps.length;
  const y = (value) => 96 - 92 * (value - low) / (high - low || 1);
  const plot = svg("svg", {viewBox: "0 0 1000 100", preserveAspectRatio: "none", "aria-hidden": "true"},
    svg("path", {class: "zero", d: `M0 ${y(0)}H1000`}));
  series.forEach((points, seat) => {
    if (points.length) {
      plot.append(svg("path", {class: `line ${pieceOf(replay, seat).colour}`,
        d: "M" + points.map(([step, value]) => `${x(step).toFixed(1)} ${y(value).toFixed(1)}`).join("L")}));
    }
  });
  plot.append(svg("path", {class: "now", id: "values-now", d: "M0 0V100"}));
  return {plot, range: `${number(low)} to ${number(high)}`};
}

function entry(name, value) {
  return html("div", {}, html("dt", {}, name), html("dd", {}, value));
}

/** A text that can be unfolded; `unfolded` holds the names of those that are, from move to move. */
function fold(name, text, unfolded) {
  const details = html("details", {}, html("summary", {}, name.replaceAll("_", " ")), html("pre", {}, text));
  details.open = unfolded.has(name);
  details.addEventListener("toggle", () => {
    details.open ? unfolded.add(name) : unfolded.delete(name);
  });
  return details;
}

function card(replay, player, title, known, notes, unfolded) {
  const list = html("dl", {}, ...known.map(([name, value]) => entry(name, value)));
  const folded = [];
  for (const note of notes) {
    if (note.text) {
      folded.push(fold(note.name, textOf(replay, note.text), unfolded));
    } else {
      list.append(entry(note.name.replaceAll("_", " "), note.value));
    }
  }
  return html("div", {class: "move-card"}, html("h4", {}, badge(replay, player), html("strong", {}, title),
    breakable(who(replay, player))), list, ...folded);
}

/** What is known of the moves that led to a frame, and after the last one of a forfeit. */
function cards(replay, frame, unfolded) {
  const moves = frame ? replay.steps[frame - 1] : [];
  const made = moves.map((move) => card(replay, move.player, move.name, [["action id", String(move.action)],
    ...(move.seconds === undefined ? [] : [["time", seconds(move.seconds)]])], move.notes || [], unfolded));
  if (replay.forfeit && frame === replay.frames.length - 1) {
    made.push(card(replay, replay.forfeit.player, `forfeit: ${replay.forfeit.kind}`,
      [["reason", replay.reason]], replay.last_notes, unfolded));
  }
  return made;
}

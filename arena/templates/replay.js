// The replay viewer. All texts come from bots and games: they only ever become text nodes.
"use strict";

(() => {
  const byId = (id) => document.getElementById(id);
  const parsed = (id) => JSON.parse(byId(id).textContent);
  const viewer = byId("viewer");
  if (!viewer) {
    return; // no match is embedded
  }

  const PLAY = byId("play").querySelector("path").getAttribute("d");
  const PAUSE = "M5 3h5v18H5zM14 3h5v18h-5z";

  /** The summaries of the embedded matches: `games.boards` and `arena.report_replays` name the fields. */
  const matches = parsed("matches");
  const shown = {replay: null, frame: 0, perspective: -1, mode: "board", wish: null, timer: 0, found: [],
    unfolded: new Set()};

  /** Makes an HTML element; a child that is a string becomes text. */
  function html(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  }

  /** A name with places where a line may break. */
  function breakable(name) {
    const made = html("span", {class: "name"});
    name.split(/(?<=[(,=_])/).forEach((part) => made.append(part, document.createElement("wbr")));
    return made;
  }

  const number = (value) => String(Math.round(value * 1e6) / 1e6).replace("-", "−");
  const seconds = (value) => value >= 100 ? `${value.toFixed(0)} s` : value >= 1 ? `${value.toFixed(1)} s`
    : value >= 0.001 ? `${(value * 1000).toFixed(0)} ms` : `${(value * 1e6).toFixed(0)} µs`;

  // --- Which match ------------------------------------------------------------------------------

  function winner(match) {
    const best = Math.max(...match.returns);
    const seats = match.returns.flatMap((value, seat) => value === best ? [seat] : []);
    return seats.length === 1 ? seats[0] : null;
  }

  function label(match) {
    const result = match.returns.map(number).join(" : ");
    const ending = match.forfeit ? `, ${match.forfeit.kind} forfeit` : "";
    return `#${match.id}  ${match.seats.join(" – ")}  ${result}${ending}, ${match.moves} moves`;
  }

  function fits(match) {
    const [game, bot, opponent, result] = ["game", "bot", "opponent", "result"].map(
      (name) => byId(`filter-${name}`).value);
    const seats = match.seats.flatMap((name, seat) => !bot || name === bot ? [seat] : []);
    const others = (seat) => match.seats.filter((_, other) => other !== seat);
    const won = winner(match);
    const result_of = {
      "": () => true,
      won: (seat) => won === seat,
      lost: (seat) => won !== null && won !== seat,
      drawn: () => won === null,
      forfeit: (seat) => match.forfeit && (!bot || match.forfeit.player === seat),
    }[result] || ((seat) => match.forfeit && match.forfeit.kind === result
      && (!bot || match.forfeit.player === seat));
    return (!game || match.game === game) && seats.some(
      (seat) => (!opponent || others(seat).includes(opponent)) && result_of(seat));
  }

  function options(select, values) {
    values.forEach((value) => select.append(html("option", {value}, value)));
  }

  function filter() {
    shown.found = matches.filter(fits);
    const select = byId("match");
    select.replaceChildren(...shown.found.map((match) => html("option", {value: match.id}, label(match))));
    byId("found").textContent = `${shown.found.length} of ${matches.length}`;
    if (shown.found.length) {
      open(shown.found[0].id);
    }
    navigation();
  }

  function navigation() {
    const at = byId("match").selectedIndex;
    byId("previous-match").disabled = at <= 0;
    byId("next-match").disabled = at < 0 || at >= shown.found.length - 1;
  }

  /** Shows a match by its number; `frame` is where to start. */
  function open(id, frame = 0) {
    pause();
    shown.replay = parsed(`replay-data-${id}`);
    shown.perspective = -1;
    shown.unfolded.clear();
    byId("match").value = String(id);
    navigation();
    const replay = shown.replay;
    replay.id = id;
    byId("position").max = String(replay.frames.length - 1);
    players();
    switches();
    moveList();
    facts();
    go(frame);
  }

  // --- What a replay shows besides the position --------------------------------------------------

  /** The sign by which a player is known in this match: the piece of the player, or a dot. */
  function badge(player) {
    const pieces = Object.values(shown.replay.board ? shown.replay.board.pieces : {});
    const piece = pieces.find((one) => one.player === player)
      || {sign: "disc", colour: ["red", "blue", "yellow", "plain"][player % 4]};
    const drawn = svg("svg", {viewBox: "0 0 40 40", class: "badge", "aria-hidden": "true"});
    drawn.append(player < 0 ? svg("text", {x: 20, y: 32, class: "chance"}, "⚄") : drawPiece(piece, 20, 20, 44));
    return drawn;
  }

  function players() {
    const replay = shown.replay;
    byId("players").replaceChildren(...replay.seats.map((name, seat) => {
      const line = html("li", winner(replay) === seat ? {class: "won"} : {},
        badge(seat), breakable(name),
        html("span", {class: "return", title: "return"}, number(replay.returns[seat])));
      if (replay.forfeit && replay.forfeit.player === seat) {
        line.append(html("span", {class: "tag"}, `${replay.forfeit.kind} forfeit`));
      }
      return line;
    }));
    byId("reason").textContent = replay.reason ? `Forfeit: ${replay.reason}` : "";
  }

  function facts() {
    const replay = shown.replay;
    const known = [["game", replay.game], ["match", `#${replay.id}`], ["seed", replay.seed],
      ["ended", replay.ended === null ? "unknown" : new Date(replay.ended * 1000).toISOString().slice(0, 19)
        .replace("T", " ") + " UTC"],
      ...Object.entries(replay.versions)];
    byId("facts").replaceChildren(...known.map(([name, value]) => entry(name, String(value))));
  }

  function choice(group, entries, chosen, choose) {
    const bar = byId(group);
    bar.hidden = entries.length < 2;
    bar.querySelector(".choices").replaceChildren(...entries.map(([value, text]) => {
      const button = html("button", {type: "button", "aria-pressed": String(value === chosen)}, text);
      button.addEventListener("click", () => {
        for (const other of bar.querySelectorAll("button")) {
          other.setAttribute("aria-pressed", String(other === button));
        }
        choose(value);
        draw();
      });
      return button;
    }));
  }

  function switches() {
    const replay = shown.replay;
    const modes = [...(replay.pictures.length ? [["picture", "Picture"]] : []),
      ...(replay.board ? [["board", "Board"]] : []), ["text", "Text"]];
    shown.mode = (modes.find(([mode]) => mode === shown.wish) || modes[0])[0];
    choice("modes", modes, shown.mode, (mode) => { shown.mode = shown.wish = mode; });
    const eyes = replay.hidden ? replay.seats.map((_, seat) => [seat, `Player ${seat}`]) : [];
    choice("perspectives", [[-1, "Everything"], ...eyes], -1, (player) => { shown.perspective = player; });
  }

  function moveName(moves) {
    return moves.map((move) => move.name).join(" · ");
  }

  function who(player) {
    return player < 0 ? "chance" : shown.replay.seats[player];
  }

  function moveList() {
    const replay = shown.replay;
    byId("moves").replaceChildren(...replay.steps.map((moves, index) => {
      const button = html("button", {type: "button", "data-frame": index + 1},
        html("span", {class: "count"}, String(index + 1)), ...moves.map((move) => badge(move.player)),
        html("span", {class: "name"}, moveName(moves)));
      const time = Math.max(...moves.map((move) => move.seconds ?? -1));
      button.append(html("span", {class: "time"}, index < replay.opening ? "opening" : time < 0 ? "" : seconds(time)));
      return html("li", {}, button);
    }));
    chart();
  }

  /** How each player valued its chosen moves, where notes have a `value`. */
  function chart() {
    const replay = shown.replay;
    const series = replay.seats.map((_, seat) => replay.steps.flatMap((moves, index) => moves.flatMap(
      (move) => move.player === seat && move.value !== undefined ? [[index + 1, move.value]] : [])));
    const values = series.flat().map(([, value]) => value);
    const figure = byId("values");
    figure.hidden = values.length < 3;
    if (figure.hidden) {
      return;
    }
    const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
    const x = (step) => 1000 * step / replay.steps.length;
    const y = (value) => 96 - 92 * (value - low) / (high - low || 1);
    const plot = svg("svg", {viewBox: "0 0 1000 100", preserveAspectRatio: "none", "aria-hidden": "true"},
      svg("path", {class: "zero", d: `M0 ${y(0)}H1000`}));
    series.forEach((points, seat) => {
      if (points.length) {
        const colour = badge(seat).querySelector(".piece").getAttribute("class").split(" ")[1];
        plot.append(svg("path", {class: `line ${colour}`,
          d: "M" + points.map(([step, value]) => `${x(step).toFixed(1)} ${y(value).toFixed(1)}`).join("L")}));
      }
    });
    plot.append(svg("path", {class: "now", id: "values-now", d: "M0 0V100"}));
    byId("values-plot").replaceChildren(plot);
    byId("values-range").textContent = `${number(low)} to ${number(high)}`;
  }

  /** What is known of the moves that led to the position, and after the last one of a forfeit. */
  function notes() {
    const {replay, frame} = shown;
    const moves = frame ? replay.steps[frame - 1] : [];
    const cards = moves.map((move) => card(move.player, move.name, [["action id", String(move.action)],
      ...(move.seconds === undefined ? [] : [["time", seconds(move.seconds)]])], move.notes || []));
    if (replay.forfeit && frame === replay.frames.length - 1) {
      cards.push(card(replay.forfeit.player, `forfeit: ${replay.forfeit.kind}`,
        [["reason", replay.reason]], replay.last_notes));
    }
    byId("notes").replaceChildren(...cards);
  }

  function card(player, title, known, noted) {
    const list = html("dl", {}, ...known.map(([name, value]) => entry(name, value)));
    const folded = [];
    for (const note of noted) {
      if (note.text) {
        folded.push(fold(note.name, lines(note.text)));
      } else {
        list.append(entry(note.name.replaceAll("_", " "), note.value));
      }
    }
    return html("div", {class: "move-card"}, html("h4", {}, badge(player), html("strong", {}, title),
      breakable(who(player))), list, ...folded);
  }

  function entry(name, value) {
    return html("div", {}, html("dt", {}, name), html("dd", {}, value));
  }

  /** A text that can be unfolded, and stays unfolded from move to move. */
  function fold(name, text) {
    const details = html("details", {}, html("summary", {}, name.replaceAll("_", " ")), html("pre", {}, text));
    details.open = shown.unfolded.has(name);
    details.addEventListener("toggle", () => {
      details.open ? shown.unfolded.add(name) : shown.unfolded.delete(name);
    });
    return details;
  }

  // --- The position -----------------------------------------------------------------------------

  const lines = (numbers) => numbers.map((line) => shown.replay.lines[line]).join("\n");

  function seen(index) {
    const frame = shown.replay.frames[index];
    return frame && shown.perspective >= 0 ? frame.views[shown.perspective] : frame;
  }

  function rows(frame) {
    return frame && frame.board && frame.board.map((line) => shown.replay.lines[line]);
  }

  function draw() {
    const {replay, frame} = shown;
    const now = seen(frame);
    const text = byId("text");
    const board = byId("board");
    text.textContent = lines(now.text);
    const picture = shown.mode === "picture" && shown.perspective < 0 && now.picture !== undefined;
    const boarded = shown.mode !== "text" && !picture && now.board;
    text.hidden = Boolean(picture || boarded);
    board.hidden = !text.hidden;
    const title = frame ? `After move ${frame}, ${moveName(replay.steps[frame - 1])}` : "Start of the match";
    if (picture) {
      board.replaceChildren(html("img", {src: replay.pictures[now.picture], alt: title}));
    } else if (boarded) {
      const drawn = drawBoard(replay.board, rows(now), rows(seen(frame - 1)));
      drawn.setAttribute("role", "img");
      drawn.setAttribute("aria-label", `${title}. Board: ${rows(now).join(" / ")}`);
      board.replaceChildren(drawn);
    }
  }

  /** Shows the position after `index` steps, or the nearest one there is. */
  function go(index) {
    const replay = shown.replay;
    const last = replay.frames.length - 1;
    shown.frame = Math.min(Math.max(index, 0), last);
    draw();
    notes();
    byId("position").value = String(shown.frame);
    const moves = shown.frame ? replay.steps[shown.frame - 1] : null;
    const text = moves ? `${moves.map((move) => who(move.player)).join(" and ")}: ${moveName(moves)}` : "start";
    byId("position").setAttribute("aria-valuetext", `move ${shown.frame} of ${last}, ${text}`);
    byId("now").textContent = `Move ${shown.frame} of ${last}: ${text}` + (shown.frame < last ? ""
      : replay.forfeit ? " – then a forfeit" : " – the end");
    byId("to-start").disabled = byId("back").disabled = shown.frame === 0;
    byId("to-end").disabled = byId("forward").disabled = shown.frame === last;
    const list = byId("moves");
    for (const button of list.querySelectorAll("[aria-current]")) {
      button.removeAttribute("aria-current");
    }
    const current = list.querySelector(`[data-frame="${shown.frame}"]`);
    if (current) {
      current.setAttribute("aria-current", "step");
      // Not scrollIntoView, which would scroll the page as well.
      list.scrollTop = current.offsetTop - (list.clientHeight - current.clientHeight) / 2;
    } else {
      list.scrollTop = 0;
    }
    const marker = byId("values-now");
    if (marker) {
      const x = 1000 * shown.frame / Math.max(1, replay.steps.length);
      marker.setAttribute("d", `M${x} 0V100`);
    }
  }

  // --- Playing ----------------------------------------------------------------------------------

  function pause() {
    clearInterval(shown.timer);
    shown.timer = 0;
    byId("play").querySelector("path").setAttribute("d", PLAY);
    byId("play").setAttribute("aria-label", "Play");
    byId("now").setAttribute("aria-live", "polite");
  }

  function play() {
    if (shown.frame === shown.replay.frames.length - 1) {
      go(0);
    }
    byId("play").querySelector("path").setAttribute("d", PAUSE);
    byId("play").setAttribute("aria-label", "Pause");
    byId("now").setAttribute("aria-live", "off"); // nobody could listen that fast
    shown.timer = setInterval(() => {
      go(shown.frame + 1);
      if (shown.frame === shown.replay.frames.length - 1) {
        pause();
      }
    }, 1000 / Number(byId("speed").value));
  }

  const toggle = () => shown.timer ? pause() : play();
  const step = (target) => () => { pause(); go(target()); };
  const actions = {
    "to-start": step(() => 0),
    "back": step(() => shown.frame - 1),
    "play": toggle,
    "forward": step(() => shown.frame + 1),
    "to-end": step(() => Infinity),
  };
  const keys = {ArrowLeft: "back", ArrowRight: "forward", Home: "to-start", End: "to-end", " ": "play"};

  for (const [id, act] of Object.entries(actions)) {
    byId(id).addEventListener("click", act);
  }
  viewer.addEventListener("keydown", (event) => {
    const own = event.target.closest("select, input, summary, button, pre");
    const act = actions[keys[event.key]];
    // A button takes the space bar itself, a slider or a list the arrows.
    if (!act || event.ctrlKey || event.altKey || event.metaKey ||
        (own && (event.key === " " || !["BUTTON", "SUMMARY"].includes(own.tagName)))) {
      return;
    }
    event.preventDefault();
    act();
  });
  byId("position").addEventListener("input", (event) => { pause(); go(Number(event.target.value)); });
  byId("speed").addEventListener("change", () => { if (shown.timer) { pause(); play(); } });
  byId("moves").addEventListener("click", (event) => {
    const button = event.target.closest("[data-frame]");
    if (button) {
      pause();
      go(Number(button.dataset.frame));
    }
  });
  byId("values-plot").addEventListener("click", (event) => {
    const box = byId("values-plot").getBoundingClientRect();
    pause();
    go(Math.round((event.clientX - box.left) / box.width * shown.replay.steps.length));
  });
  byId("match").addEventListener("change", (event) => open(event.target.value));
  for (const [id, by] of [["previous-match", -1], ["next-match", 1]]) {
    byId(id).addEventListener("click", () => open(shown.found[byId("match").selectedIndex + by].id));
  }
  for (const name of ["game", "bot", "opponent", "result"]) {
    byId(`filter-${name}`).addEventListener("change", filter);
  }

  /** Opens the match that the address names: `#replay-17`, or `#replay-17-5` for its fifth move. */
  function follow() {
    const [, id, frame] = /^#replay-(\d+)(?:-(\d+))?$/.exec(location.hash) || [];
    if (matches.some((match) => String(match.id) === id)) {
      for (const name of ["game", "bot", "opponent", "result"]) {
        byId(`filter-${name}`).value = "";
      }
      filter();
      open(id, Number(frame || 0));
      viewer.scrollIntoView();
      viewer.focus({preventScroll: true});
    }
  }

  options(byId("filter-game"), [...new Set(matches.map((match) => match.game))]);
  const bots = [...new Set(matches.flatMap((match) => match.seats))].sort();
  options(byId("filter-bot"), bots);
  options(byId("filter-opponent"), bots);
  byId("replays").classList.add("ready");
  filter();
  addEventListener("hashchange", follow);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#replay-']");
    if (link && link.hash === location.hash) {
      follow(); // the address stays the same, so that no hashchange will come
    }
  });
  follow();
})();

// A stored match: look back, from every seat, and inside the heads.
"use strict";

async function matchPage(main, database, id) {
  document.title = `Match ${id} – spielwright`;
  const base = `/api/watch/${database}/matches/${id}`;
  const replay = await get(base);
  const state = {shown: 0, way: "", seat: -1, heads: null};
  const textual = (numbers) => numbers.map((line) => replay.lines[line]).join("\n");
  const board = (one) => one.board && {...replay.board, rows: one.board.map((line) => replay.lines[line])};

  /** The position as a seat sees it, in the form of a table's frames. */
  function position(index) {
    const frame = replay.frames[index];
    if (!frame) {
      return undefined;
    }
    const seen = state.seat >= 0 ? frame.views[state.seat] : frame;
    return {text: textual(seen.text), board: board(seen),
      picture: seen.picture !== undefined ? replay.pictures[seen.picture] : null};
  }

  const start = replay.frames[0];
  if (start.picture === undefined && start.views && start.views[0].picture !== undefined) {
    state.seat = 0; // the players have pictures, and a table that shows everything has none
  }

  const place = html("div", {class: "place"});
  const ways = html("div", {class: "ways"});
  const status = html("p", {class: "status", role: "status"});
  const events = html("ol", {class: "events", "aria-label": "Moves"});
  const heads = html("div", {class: "heads"});
  const notes = html("div", {class: "notes"});
  const walk = controls(() => replay.frames.length, () => state.shown, show);
  const first = board(replay.frames[0]);
  const won = winner(replay);
  const players = html("ul", {class: "players", "aria-label": "Players"}, ...replay.seats.map((spec, player) =>
    html("li", won === player ? {class: "won"} : {}, sign(first, player), html("span", {class: "name"}, breakable(spec)),
      html("small", {}, `player ${player}`), html("b", {class: "return"}, number(replay.returns[player])))));
  let made = 0;
  const firstMove = replay.steps.map((step) => { const at = made; made += step.length; return at; });
  replay.steps.forEach((step, index) => {
    const line = html("li", {"data-frame": index + 1}, html("button", {type: "button"},
      html("span", {class: "count"}, String(index + 1)), ...step.map((move) => sign(first, move.player)),
      html("span", {class: "name"}, step.map((move) => move.name).join(" · ")),
      html("span", {class: "soft"}, index < replay.opening ? "opening"
        : step.some((move) => move.seconds !== undefined) ? seconds(Math.max(...step.map((move) => move.seconds ?? 0))) : "")));
    line.firstChild.addEventListener("click", () => show(index + 1));
    events.append(line);
  });

  function show(index) {
    state.shown = Math.min(Math.max(index, 0), replay.frames.length - 1);
    const frame = position(state.shown);
    const step = state.shown ? replay.steps[state.shown - 1] : [];
    const title = step.length ? `Move ${state.shown}: ${step.map((move) => `${who(replay, move.player)} plays ${move.name}`).join(", ")}` : "The start";
    place.replaceChildren(drawPosition(frame, position(state.shown - 1), state.way, title));
    const possible = waysOf(frame);
    ways.replaceChildren(
      ...(replay.hidden && !replay.all_see_all ? [switcher("Seen by", [[-1, "Everything"], ...replay.seats.map((_, player) => [player, `Player ${player}`])],
        state.seat, (player) => { state.seat = player; show(state.shown); })] : []),
      ...(possible.length > 1 ? [switcher("Shown as", possible.map((way) => [way, WAYS[way]]),
        possible.includes(state.way) ? state.way : possible[0], (way) => { state.way = way; show(state.shown); })] : []));
    status.textContent = title + (state.shown === replay.frames.length - 1
      ? replay.forfeit ? `. Player ${replay.forfeit.player} forfeits: ${replay.reason}` : `. The end: ${outcome(replay.returns)}.` : "");
    walk.lastChild.update(title);
    if (!markEvent(events, state.shown)) {
      events.scrollTop = 0;
    }
    history.replaceState(history.state, "", `${location.pathname}#move=${state.shown}`);
    drawNotes(step);
    drawHeads(step);
  }

  function drawNotes(step) {
    const told = step.filter((move) => move.notes && move.notes.length);
    notes.replaceChildren(...told.map((move) => html("section", {class: "head"},
      html("h3", {}, `Notes of ${replay.seats[move.player]}`),
      html("dl", {}, ...move.notes.filter((note) => note.value !== undefined).map((note) => entry(note.name.replaceAll("_", " "), note.value))),
      ...move.notes.filter((note) => note.text).map((note) => kept(`note ${note.name}`, note.name.replaceAll("_", " "),
        html("pre", {tabindex: "0"}, textual(note.text)))))));
  }

  function drawHeads(step) {
    if (!state.heads) {
      return;
    }
    const at = state.shown ? firstMove[state.shown - 1] : 0;
    const found = step.flatMap((move, place) => {
      const panels = state.heads.heads[at + place];
      const differs = state.heads.differs.includes(at + place);
      return panels ? [drawHead(panels, html("h3", {}, `Inside the head of ${who(replay, move.player)}: ${move.name}`,
        ...(differs ? [html("small", {class: "wrong"}, "asked again, it would have answered otherwise")] : [])),
        texts[move.player] && !replay.opening_length ? (first, last) => editText(move.player, at + place, first, last) : null)] : [];
    });
    heads.replaceChildren(...(found.length ? found : [html("p", {class: "soft"},
      state.heads.error || (step.length ? "Whoever moved here has nothing to say of it." : "Go to a move of a bot."))]));
  }

  const texts = {};

  /** Opens the text of a player, to be changed and played with from the position before a move on. */
  function editText(player, before, first, last) {
    const {text, lines} = texts[player];
    const area = html("textarea", {rows: "14", spellcheck: "false", "aria-label": `The text of player ${player}`});
    area.value = text;
    const wrong = html("p", {class: "wrong", role: "status"});
    const on = button(`Play on from here, before move ${state.shown}`, async () => {
      wrong.textContent = "";
      try {
        const made = await post(`${base}/continue`, {moves: before, seats: replay.seats.map((spec) => spec === "human" ? "random" : spec),
          texts: {[player]: area.value}});
        go(`/table/${made.id}`);
      } catch (error) {
        wrong.textContent = error.message;
      }
    }, {class: "primary"});
    const editor = html("section", {class: "editor"}, html("h3", {}, `What ${who(replay, player)} plays by`), area, wrong,
      html("p", {class: "acts"}, on, " ", button("Leave it as it was", () => editor.remove())));
    for (const old of document.querySelectorAll(".editor")) {
      old.remove();
    }
    heads.before(editor);
    const rows = text.split("\n");
    const offset = (line) => rows.slice(0, line - 1).reduce((sum, row) => sum + row.length + 1, 0);
    area.focus();
    if (lines.length) {
      const end = last + 1 < lines.length ? lines[last + 1] : rows.length + 1;
      area.setSelectionRange(offset(lines[first]), Math.min(offset(end), text.length));
      area.scrollTop = area.scrollHeight * (lines[first] - 1) / rows.length;
    }
  }

  const look = button("Look inside the heads", async () => {
    heads.replaceChildren(html("p", {class: "soft"}, "Every bot is asked again, move by move …"));
    state.heads = await get(`${base}/heads`);
    await Promise.all(replay.seats.map(async (_, player) => {
      texts[player] = await get(`${base}/texts/${player}`).catch(() => null); // one that plays no text, or one that may not be edited
    }));
    look.hidden = true;
    drawHeads(state.shown ? replay.steps[state.shown - 1] : []);
    main.setAttribute("data-heads", "there");
  }, {class: "primary"});

  async function takeUp() {
    const seat = Number(seats.value);
    const made = await post(`${base}/continue`, {moves: state.shown ? firstMove[state.shown - 1] + replay.steps[state.shown - 1].length : 0,
      seats: replay.seats.map((spec, player) => player === seat ? "human" : spec === "human" ? "random" : spec)});
    keys.keep(made.id, made.keys[seat]);
    go(`/table/${made.id}`);
  }

  const seats = html("select", {"aria-label": "The seat to take"},
    ...replay.seats.map((_, player) => html("option", {value: player}, `player ${player}`)));
  main.append(html("h1", {class: "game-title"}, breakable(replay.game)),
    html("div", {class: "table-page"},
      html("div", {class: "board-side"}, ways, place, walk, status),
      html("div", {class: "told-side"}, players, html("h2", {}, "Moves"), events,
        html("div", {class: "acts"}, look), heads, notes)),
    html("h2", {}, "Go on, or share"),
    html("p", {class: "acts"}, "Play on from this position as ", seats, " ", button("Sit down here", takeUp)),
    html("p", {class: "acts"}, button("Save as one page", () => download(`${base}/page`, `match-${id}.html`)), " ",
      button("Save as GIF", () => download(`${base}/gif`, `match-${id}.gif`)), " ",
      button("Copy the link", async () => { await navigator.clipboard.writeText(location.href); say("Copied."); })),
    html("dl", {class: "facts"}, entry("match", `${id} of ${database}`), entry("seed", replay.seed), entry("ended", replay.ended || "unknown"),
      ...Object.entries(replay.versions).map(([name, value]) => entry(name, value))));
  show(Number(new URLSearchParams(location.hash.slice(1)).get("move") || 0));
}

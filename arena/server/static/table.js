// A table: a match as it is played.
"use strict";

const FEW_MOVES = 24;
const SHOWN_MOVES = 60;

async function tablePage(main, id, signal) {
  const key = keys.of(id);
  const table = await get(`/api/tables/${id}`, key);
  document.title = `${table.game} – spielwright`;
  if (table.state === "over") {
    go(`/match/played/${table.match}`, true);
    return;
  }
  const seat = table.seat;
  const frames = [];
  const state = {shown: 0, way: "", wish: [], sent: -1, ended: table.state === "playing" ? null : table};
  const players = html("ul", {class: "players", "aria-label": "Players"});
  const place = html("div", {class: "place"});
  const ways = html("div", {class: "ways"});
  const moves = html("div", {class: "moves", role: "group", "aria-label": "Your moves"});
  const events = html("ol", {class: "events", "aria-label": "What happened"});
  const status = html("p", {class: "status", role: "status"});
  const heads = html("div", {class: "heads"});
  const walk = controls(() => Math.max(1, frames.length), () => state.shown, show);
  const end = html("div", {class: "end"});
  const links = html("div", {class: "links"});
  main.append(html("h1", {class: "game-title"}, breakable(table.game)),
    html("div", {class: "table-page"},
      html("div", {class: "board-side"}, ways, place, walk),
      html("div", {class: "told-side"}, players, status, end, moves, links,
        html("h2", {}, "What happened"), events, heads)));
  inviteOthers();

  function who(player) {
    return player < 0 ? "chance" : player === seat ? "you" : `player ${player}`;
  }

  function newest() {
    return frames[frames.length - 1];
  }

  function inviteOthers() {
    const others = JSON.parse(sessionStorage.getItem(`links ${id}`) || "[]");
    links.replaceChildren(...others.map(([other, itsKey]) => {
      const address = `${location.origin}/table/${id}#key=${itsKey}`;
      return html("p", {}, `The link of player ${other}: `, html("a", {href: address, target: "_blank", rel: "noopener"}, "open it in another window"),
        " or ", button("copy it", async () => { await navigator.clipboard.writeText(address); say("Copied."); }, {class: "quiet"}));
    }));
  }

  function drawPlayers() {
    const now = newest();
    players.replaceChildren(...table.seats.map((spec, player) => {
      const turn = !state.ended && now && now.to_move.includes(player);
      return html("li", turn ? {class: "turn"} : {}, sign(now && now.board, player),
        html("span", {class: "name"}, player === seat ? "you" : spec === "human" ? "a person" : breakable(spec)),
        html("small", {}, `player ${player}${turn ? ", to move" : ""}`));
    }));
  }

  function say_status() {
    const now = newest();
    if (state.ended) {
      status.textContent = {void: `This match is void: ${state.ended.reason}`, left: "This match was ended without a result.",
        over: now && now.returns ? `The end: ${outcome(now.returns)}.` : "The match is over."}[state.ended.state];
      return;
    }
    if (!now) {
      status.textContent = "The table is being set …";
    } else if (seat !== null && now.legal.length) {
      status.textContent = state.sent === frames.length - 1 ? "You have chosen; the others are still choosing." : "Your turn.";
    } else {
      const others = now.to_move.filter((player) => player >= 0);
      status.textContent = others.length ? `${others.map(who).join(" and ")} ${others.length > 1 ? "think" : "thinks"} …` : "…";
    }
  }

  async function choose(name) {
    const number = frames.first + frames.length - 1;
    state.sent = frames.length - 1;
    drawMoves();
    say_status();
    try {
      await post(`/api/tables/${id}/move`, {number, name}, key);
    } catch (error) {
      state.sent = -1;
      drawMoves();
      throw error;
    }
  }

  function drawMoves() {
    const now = newest();
    const legal = now && !state.ended && seat !== null && state.sent !== frames.length - 1 ? now.legal : [];
    const had = moves.querySelector("input");
    const typed = had ? had.value : "";
    const focused = had && document.activeElement === had;
    if (!legal.length) {
      moves.replaceChildren();
      return;
    }
    const list = html("div", {class: legal.length <= 12 ? "few" : "many"});
    const input = html("input", {type: "search", placeholder: `Filter ${legal.length} moves`, "aria-label": "Filter the moves"});
    const fill = () => {
      const wanted = input.value.trim().toLowerCase();
      const pool = state.wish.length ? state.wish : legal;
      const found = pool.filter((name) => name.toLowerCase().includes(wanted));
      list.replaceChildren(...found.slice(0, SHOWN_MOVES).map((name, place) =>
        button(name, () => choose(name), place < 9 ? {"data-digit": place + 1} : {})),
      ...(found.length > SHOWN_MOVES ? [html("span", {class: "soft"}, `and ${found.length - SHOWN_MOVES} more: type a part of the name`)] : []),
      ...(found.length ? [] : [html("span", {class: "soft"}, "No move has this in its name.")]),
      ...(state.wish.length ? [button("all moves", async () => { state.wish = []; fill(); }, {class: "quiet"})] : []));
    };
    input.value = typed;
    input.addEventListener("input", fill);
    input.addEventListener("keydown", (event) => {
      const only = list.querySelectorAll("button[data-digit]");
      if (event.key === "Enter" && only.length) {
        event.preventDefault();
        only[0].click();
      }
    });
    moves.replaceChildren(...(legal.length > FEW_MOVES ? [input] : []), list);
    fill();
    if (focused) {
      input.focus();
    }
  }

  function pressed(row, column) {
    const now = newest();
    if (state.shown !== frames.length - 1 || !now.legal.length || state.sent === frames.length - 1) {
      return;
    }
    const pool = state.wish.length ? state.wish : now.legal;
    let found = movesAt(now.board, pool, row, column);
    if (!found.length && state.wish.length) {
      found = movesAt(now.board, now.legal, row, column);
    }
    if (found.length === 1) {
      choose(found[0]).catch((error) => say(error.message, true));
    } else if (found.length) {
      state.wish = found;
      drawMoves();
    } else {
      say("No move has this cell in its name.");
    }
  }

  function show(index) {
    if (!frames.length) {
      return;
    }
    state.shown = Math.min(Math.max(index, 0), frames.length - 1);
    const frame = frames[state.shown];
    const title = state.shown === frames.length - 1 ? "Now" : `Position ${state.shown}`;
    const drawn = drawPosition(frame, frames[state.shown - 1], state.way, title);
    if (seat !== null && frame.board) {
      listenToCells(drawn, frame.board.rows, pressed);
    }
    place.replaceChildren(drawn);
    const possible = waysOf(frame);
    const chosen = possible.includes(state.way) ? state.way : possible[0];
    ways.replaceChildren(...(possible.length > 1 ? [switcher("Shown as", possible.map((way) => [way, WAYS[way]]), chosen,
      (way) => { state.way = way; show(state.shown); })] : []));
    walk.lastChild.update(title);
    markEvent(events, state.shown);
    think(state.shown);
  }

  let asked = 0;

  /** Shows what the bots thought that moved before this position. */
  async function think(index) {
    const ticket = ++asked;
    const frame = frames[index];
    if (!index || frame.made === undefined) {
      heads.replaceChildren();
      return;
    }
    const made = [];
    for (let number = frames[index - 1].made; number < frame.made; number++) {
      made.push([number, frame.events[number - frames[index - 1].made]]);
    }
    const thoughts = await Promise.all(made.map(([number]) => get(`/api/tables/${id}/heads/${number}`, key).catch(() => [])));
    if (ticket === asked) {
      heads.replaceChildren(...thoughts.flatMap((panels, one) => panels.length ? [drawHead(panels,
        html("h3", {}, `Inside the head of ${who(made[one][1].player)}: ${made[one][1].name}`))] : []));
    }
  }

  function noteEvents(frame, index) {
    for (const event of frame.events) {
      const line = html("li", {"data-frame": index}, html("button", {type: "button"}, sign(frame.board, event.player),
        html("span", {class: "who"}, who(event.player)), html("span", {class: "name"}, event.name)));
      line.firstChild.addEventListener("click", () => show(index));
      events.append(line);
    }
  }

  function finish(told) {
    state.ended = told;
    links.replaceChildren();
    if (told.state === "over") {
      const returns = newest() && newest().returns;
      end.replaceChildren(...(returns ? [html("p", {class: "returns"}, returns.map((value, player) => `${who(player)} ${number(value)}`).join(", "))] : []),
        html("p", {}, html("a", {class: "button primary", href: `/match/played/${told.match}`}, "Look back and inside the heads"), " ",
          html("a", {class: "button", href: playAddress(table.game)}, "Play again")));
    }
    drawPlayers();
    drawMoves();
    say_status();
    main.setAttribute("data-state", told.state);
  }

  if (seat !== null) {
    links.append(html("p", {}, button("Resign", async () => { await post(`/api/tables/${id}/resign`, {}, key); }, {class: "quiet"}), " ",
      button("End without a result", async () => { await post(`/api/tables/${id}/leave`, {}, key); }, {class: "quiet"})));
  } else if (!table.seats.includes("human")) {
    links.append(html("p", {}, button("End without a result", async () => { await post(`/api/tables/${id}/leave`, {}, key); }, {class: "quiet"})));
  }

  document.addEventListener("keydown", (event) => {
    if (/^[1-9]$/.test(event.key) && !event.target.closest("input, select, textarea")) {
      const wanted = moves.querySelector(`[data-digit="${event.key}"]`);
      if (wanted) {
        wanted.focus();
      }
    }
  }, {signal});

  frames.first = 0;
  await follow((from) => `/api/tables/${id}/events?from=${from}`, (event, value, number) => {
    if (event === "end") {
      finish(value);
      return true;
    }
    if (!frames.length) {
      frames.first = number;
    } else if (number < frames.first + frames.length) {
      frames.length = 0; // the server was started again and tells the match from its beginning
      frames.first = number;
      events.replaceChildren();
    }
    const atEnd = state.shown >= frames.length - 1;
    frames.push(value);
    noteEvents(value, frames.length - 1);
    state.wish = [];
    if (atEnd) {
      show(frames.length - 1);
    } else {
      walk.lastChild.update("");
    }
    drawPlayers();
    drawMoves();
    say_status();
    return false;
  }, signal, key);
}

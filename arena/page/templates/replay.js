// The replay viewer: which match, which position, and playing it.
"use strict";

(() => {
  const byId = (id) => document.getElementById(id);
  const viewer = byId("viewer");
  if (!viewer) {
    return; // no match is embedded
  }

  const PLAY = byId("play").querySelector("path").getAttribute("d");
  const PAUSE = "M5 3h5v18H5zM14 3h5v18h-5z";

  /** The summaries of the embedded matches; `arena.report_replays.summary` names the fields. */
  const matches = JSON.parse(byId("matches").textContent);
  const shown = {wanted: null, replay: null, frame: 0, perspective: -1, mode: "board", wish: null, timer: 0,
    found: [], unfolded: new Set()};

  // --- Which match ------------------------------------------------------------------------------

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
    const best = Math.max(...match.returns);
    const result_of = {
      "": () => true,
      won: (seat) => won === seat,
      lost: (seat) => match.returns[seat] < best,
      drawn: (seat) => match.returns[seat] === best && won === null,
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

  /** Marks a button that has nothing to do now. Disabled, it would lose the focus and the keys. */
  function idle(id, nothing) {
    byId(id).setAttribute("aria-disabled", String(nothing));
  }

  function navigation() {
    const at = byId("match").selectedIndex;
    idle("previous-match", at <= 0);
    idle("next-match", at < 0 || at >= shown.found.length - 1);
  }

  /** The replay of a match, which is compressed in the page. */
  async function unpacked(id) {
    const bytes = Uint8Array.from(atob(byId(`replay-data-${id}`).textContent), (one) => one.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  /** Shows a match by its number; `frame` is where to start. */
  async function open(id, frame = 0) {
    pause();
    shown.wanted = id;
    byId("match").value = String(id);
    navigation();
    viewer.setAttribute("aria-busy", "true");
    const found = await unpacked(id);
    if (shown.wanted !== id) {
      return; // another one was chosen in the meantime
    }
    viewer.setAttribute("aria-busy", "false");
    shown.replay = found;
    shown.perspective = -1;
    shown.unfolded.clear();
    const replay = shown.replay;
    replay.id = id;
    byId("position").max = String(replay.frames.length - 1);
    players();
    switches();
    facts();
    go(frame);
  }

  // --- What stays while a match is replayed ------------------------------------------------------

  function players() {
    const replay = shown.replay;
    byId("players").replaceChildren(...replay.seats.map((name, seat) => {
      const line = html("li", winner(replay) === seat ? {class: "won"} : {},
        badge(replay, seat), breakable(name),
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
      ["ended", replay.ended], ...Object.entries(replay.versions)];
    byId("facts").replaceChildren(...known.map(([name, value]) => entry(name, value)));
    byId("moves").replaceChildren(...moveItems(replay));
    const values = valuePlot(replay);
    byId("values").hidden = !values;
    byId("values-plot").replaceChildren(...(values ? [values.plot] : []));
    byId("values-range").textContent = values ? values.range : "";
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

  // --- The position -----------------------------------------------------------------------------

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
    text.textContent = textOf(replay, now.text);
    text.classList.toggle("prose", now.text.some((line) => replay.lines[line].length > 90));
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
    if (!replay) {
      return; // the first one is still being unpacked
    }
    const last = replay.frames.length - 1;
    shown.frame = Math.min(Math.max(index, 0), last);
    draw();
    byId("notes").replaceChildren(...cards(replay, shown.frame, shown.unfolded));
    byId("position").value = String(shown.frame);
    const moves = shown.frame ? replay.steps[shown.frame - 1] : null;
    const text = moves ? `${moves.map((move) => who(replay, move.player)).join(" and ")}: ${moveName(moves)}`
      : "start";
    byId("position").setAttribute("aria-valuetext", `move ${shown.frame} of ${last}, ${text}`);
    byId("now").textContent = `Move ${shown.frame} of ${last}: ${text}` + (shown.frame < last ? ""
      : replay.forfeit ? " – then a forfeit" : " – the end");
    ["to-start", "back"].forEach((id) => idle(id, shown.frame === 0));
    ["to-end", "forward"].forEach((id) => idle(id, shown.frame === last));
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
    if (!shown.replay) {
      return;
    }
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
    byId(id).addEventListener("click", () => {
      const match = shown.found[byId("match").selectedIndex + by];
      if (match) {
        open(match.id);
      }
    });
  }
  for (const name of ["game", "bot", "opponent", "result"]) {
    byId(`filter-${name}`).addEventListener("change", filter);
  }

  /** Opens the match that the address names: `#replay-17`, or `#replay-17-5` for its fifth move. */
  async function follow() {
    const [, id, frame] = /^#replay-(\d+)(?:-(\d+))?$/.exec(location.hash) || [];
    if (matches.some((match) => String(match.id) === id)) {
      for (const name of ["game", "bot", "opponent", "result"]) {
        byId(`filter-${name}`).value = "";
      }
      filter();
      await open(id, Number(frame || 0)); // its height is known only then
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

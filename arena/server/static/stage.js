// The position of a match: a picture, a board or text.
"use strict";

/** What a position can be shown as, the best way first. */
function waysOf(frame) {
  return [...(frame.picture ? ["picture"] : []), ...(frame.board ? ["board"] : []), ...(frame.text ? ["text"] : [])];
}

const WAYS = {picture: "Picture", board: "Board", text: "Text"};

/**
 * Draws a position.
 * `frame`: {text, board, picture}; `before`: the one before, or undefined; `way`: of `waysOf`; `title`: in words.
 */
function drawPosition(frame, before, way, title) {
  const ways = waysOf(frame);
  const chosen = ways.includes(way) ? way : ways[0];
  if (chosen === "picture") {
    return html("img", {src: frame.picture, alt: `${title}. ${frame.text}`.slice(0, 1500), class: "picture"});
  }
  if (chosen === "board") {
    const drawn = drawBoard(frame.board, frame.board.rows, before && before.board && before.board.rows);
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", `${title}. Board: ${frame.board.rows.join(" / ")}`);
    return drawn;
  }
  if (chosen === "text") {
    const made = html("pre", {class: "position", tabindex: "0", "aria-label": title}, frame.text);
    made.classList.toggle("prose", frame.text.split("\n").some((line) => line.length > 90));
    return made;
  }
  return html("p", {class: "nothing"}, "Nothing of this position may be seen from here.");
}

/** The names of moves that a click on a cell can mean. */
function movesAt(board, legal, row, column) {
  const label = (labels, place) => labels[place] ?? String(place);
  const [across, down] = [label(board.columns, column), label(board.ranks, row)];
  const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const whole = (text) => new RegExp(`(?<![0-9])${escaped(text)}(?![0-9])`, "i");
  const patterns = board.shape === "drop" ? [new RegExp(`(?<![0-9])${escaped(across)}$`)]
    : [whole(`${down},${across}`), whole(`${down}, ${across}`), ...(/[a-z]/i.test(across) ? [whole(across + down)] : [])];
  return legal.filter((name) => patterns.some((pattern) => pattern.test(name)));
}

/** Calls `chosen(row, column)` when a cell of a drawn board is pressed. */
function listenToCells(drawn, rows, chosen) {
  if (!drawn.cellAt) {
    return;
  }
  drawn.classList.add("alive");
  drawn.addEventListener("click", (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawn.getScreenCTM().inverse());
    const [row, column] = drawn.cellAt(point.x, point.y);
    if (rows[row] !== undefined && column >= 0 && column < rows[row].trimStart().length) {
      chosen(row, column);
    }
  });
}

/** A group of buttons of which one is pressed. */
function switcher(label, entries, chosen, choose) {
  const bar = html("span", {class: "switch", role: "group", "aria-label": label});
  for (const [value, text] of entries) {
    const one = html("button", {type: "button", "aria-pressed": String(value === chosen)}, text);
    one.addEventListener("click", () => {
      bar.querySelectorAll("button").forEach((other) => other.setAttribute("aria-pressed", String(other === one)));
      choose(value);
    });
    bar.append(one);
  }
  return bar;
}

const COLOURS = ["red", "blue", "yellow", "plain"];

/** The sign of a player: the piece on the board, or a dot. */
function sign(board, player) {
  const own = board && Object.values(board.pieces).find((one) => one.player === player && one.sign !== "king");
  return svg("svg", {viewBox: "0 0 40 40", class: "badge", "aria-hidden": "true"}, player < 0
    ? svg("text", {x: 20, y: 32, class: "chance"}, "⚄")
    : drawPiece(!own || /^[A-Za-z]$/.test(own.sign) ? {sign: "disc", colour: own ? own.colour : COLOURS[player % 4]} : own, 20, 20, 44));
}

const ICONS = {
  start: "M4 4h3v16H4zM20 4v16L8 12z", back: "M17 4v16L5 12z", forward: "M7 4v16l12-8z",
  end: "M17 4h3v16h-3zM4 4v16l12-8z", play: "M6 3v18l15-9z", pause: "M5 3h5v18H5zM14 3h5v18h-5z",
};

/**
 * Buttons and a slider to go through positions: `count()` positions, `shown()` the one shown, `go(index)`.
 * Arrow keys work wherever the focus is, but in fields.
 */
function controls(count, shown, go) {
  let timer = 0;
  const icon = (name) => svg("svg", {viewBox: "0 0 24 24", "aria-hidden": "true"}, svg("path", {d: ICONS[name]}));
  const slider = html("input", {type: "range", min: "0", "aria-label": "Position"});
  const made = html("div", {class: "controls"});
  const speed = html("select", {"aria-label": "Positions a second"},
    ...[0.5, 1, 2, 5, 10, 25].map((rate) => html("option", rate === 2 ? {value: rate, selected: ""} : {value: rate}, `${rate}/s`)));
  const pause = () => {
    clearInterval(timer);
    timer = 0;
    buttons.play.replaceChildren(icon("play"));
    buttons.play.setAttribute("aria-label", "Play");
  };
  const play = () => {
    if (shown() === count() - 1) {
      go(0);
    }
    buttons.play.replaceChildren(icon("pause"));
    buttons.play.setAttribute("aria-label", "Pause");
    timer = setInterval(() => {
      go(shown() + 1);
      if (shown() === count() - 1) {
        pause();
      }
    }, 1000 / Number(speed.value));
  };
  const acts = {
    start: ["To the start", () => 0], back: ["One back", () => shown() - 1], play: ["Play", null],
    forward: ["One forward", () => shown() + 1], end: ["To the end", () => count() - 1],
  };
  const buttons = {};
  for (const [name, [label, target]] of Object.entries(acts)) {
    buttons[name] = html("button", {type: "button", "aria-label": label, class: name}, icon(name));
    buttons[name].addEventListener("click", () => {
      if (target) {
        pause();
        go(target());
      } else if (timer) {
        pause();
      } else {
        play();
      }
    });
    made.append(buttons[name]);
  }
  speed.addEventListener("change", () => { if (timer) { pause(); play(); } });
  slider.addEventListener("input", () => { pause(); go(Number(slider.value)); });
  made.append(speed);
  const keyed = {ArrowLeft: "back", ArrowRight: "forward", Home: "start", End: "end"};
  const listen = (event) => {
    if (!made.isConnected) {
      document.removeEventListener("keydown", listen);
      return;
    }
    if (keyed[event.key] && !event.ctrlKey && !event.altKey && !event.metaKey
        && !event.target.closest("input, select, textarea, pre, [role=tree]")) {
      event.preventDefault();
      buttons[keyed[event.key]].click();
    }
  };
  document.addEventListener("keydown", listen);
  made.update = (text) => {
    slider.max = String(count() - 1);
    slider.value = String(shown());
    slider.setAttribute("aria-valuetext", text);
    ["start", "back"].forEach((name) => buttons[name].setAttribute("aria-disabled", String(shown() <= 0)));
    ["forward", "end"].forEach((name) => buttons[name].setAttribute("aria-disabled", String(shown() >= count() - 1)));
  };
  return html("div", {class: "walk"}, slider, made);
}

/** Marks the event of a list that led to a frame and moves it into view; says whether there is one. */
function markEvent(events, frame) {
  events.querySelectorAll("[aria-current]").forEach((one) => one.removeAttribute("aria-current"));
  const current = events.querySelector(`[data-frame="${frame}"]`);
  if (current) {
    current.setAttribute("aria-current", "step");
    events.scrollTop = current.offsetTop - events.clientHeight / 2;
  }
  return current !== null;
}

/** Times as people say them. */
function ago(moment) {
  const passed = Date.now() / 1000 - moment;
  const unit = [[86400, "day"], [3600, "hour"], [60, "minute"]].find(([length]) => passed >= length);
  if (!unit) {
    return "just now";
  }
  const many = Math.floor(passed / unit[0]);
  return `${many} ${unit[1]}${many === 1 ? "" : "s"} ago`;
}

/** How a match ended, from the returns by seat. */
function outcome(returns) {
  const best = Math.max(...returns);
  const winners = returns.flatMap((value, seat) => value === best ? [seat] : []);
  if (returns.length === 1) {
    return `return ${number(returns[0])}`;
  }
  if (winners.length === returns.length) {
    return "a draw";
  }
  return `${winners.map((seat) => `player ${seat}`).join(" and ")} ${winners.length === 1 ? "wins" : "win"}`;
}

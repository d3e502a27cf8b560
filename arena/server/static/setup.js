// The form for a match or a tournament.
"use strict";

/** A spec from a bot's name and the values that differ from the defaults. */
function specOf(bot, values) {
  const given = bot.parameters.filter((one) => values[one.name] !== undefined && values[one.name] !== "" &&
    (one.required || String(values[one.name]) !== String(one.default ?? "none")));
  const quoted = (text) => /^[^,()'"\s]+$/.test(text) ? text : `"${text.replaceAll('"', "'")}"`;
  return given.length ? `${bot.name}(${given.map((one) => `${one.name}=${quoted(String(values[one.name]))}`).join(",")})` : bot.name;
}

let fields = 0;

/** The form of one bot's parameters for a game; `values` is kept up to date and `changed` is called. */
function parameterForm(bot, game, values, changed) {
  const rows = bot.parameters.map((one) => {
    const id = `field-${fields++}`;
    let input;
    if (one.type === "bool") {
      input = html("select", {id}, ...["true", "false"].map((word) => html("option", {value: word}, word)));
      input.value = String(values[one.name] ?? one.default);
    } else {
      input = html("input", {id, type: "text", autocomplete: "off", spellcheck: "false",
        inputmode: one.type === "int" ? "numeric" : one.type === "float" ? "decimal" : "text",
        placeholder: one.required ? "needed" : String(one.default ?? "none")});
      input.value = values[one.name] ?? "";
      if (one.choices) {
        // What is for this game comes first.
        const own = (name) => !name.includes(game.split("(")[0].split("_")[0]);
        const sorted = [...one.choices].sort((a, b) => own(a) - own(b));
        const list = html("datalist", {id: `${id}-list`}, ...sorted.map((name) => html("option", {value: name})));
        input.setAttribute("list", `${id}-list`);
        input.after(list);
        return [input, html("div", {class: "field"}, html("label", {for: id}, one.name.replaceAll("_", " ")), input, list), one];
      }
    }
    return [input, html("div", {class: "field"}, html("label", {for: id}, one.name.replaceAll("_", " ")), input), one];
  });
  for (const [input, , one] of rows) {
    input.addEventListener("input", () => { values[one.name] = input.value; changed(); });
  }
  const many = rows.length - rows.filter(([, , one]) => one.required).length;
  const needed = rows.filter(([, , one]) => one.required).map(([, row]) => row);
  const others = rows.filter(([, , one]) => !one.required).map(([, row]) => row);
  return html("div", {class: "parameters"}, ...needed,
    ...(many ? [html("details", {}, html("summary", {}, `${many} parameter${many === 1 ? "" : "s"}`), ...others)] : []));
}

const HUMAN = "human";

/** A choice of one player: a person, a bot with its parameters, or a spec that is typed. */
class PlayerChoice {
  constructor(label, setup, first) {
    this.setup = setup;
    this.values = {};
    this.select = html("select", {"aria-label": label});
    this.about = html("p", {class: "about"});
    this.form = html("div");
    this.spec = html("code", {class: "spec"});
    this.element = html("div", {class: "player-choice"}, html("span", {class: "seat"}, label), this.select, this.about, this.form, this.spec);
    this.select.addEventListener("change", () => { this.values = {}; this.update(); });
    this.fill(first);
  }

  fill(wanted = this.select.value) {
    const {bots, reasons, people, offered} = this.setup;
    const option = (value, text) => html("option", {value}, text);
    const fit = bots.filter((bot) => bot.name !== HUMAN && reasons[bot.name] === null);
    const open = bots.filter((bot) => bot.name !== HUMAN && reasons[bot.name] === undefined);
    const not = bots.filter((bot) => reasons[bot.name]);
    const group = (label, entries) => entries.length ? [html("optgroup", {label}, ...entries)] : [];
    this.select.replaceChildren(
      ...(people ? [option(HUMAN, "You, or another person")] : []),
      ...group("Bots", fit.map((bot) => option(bot.name, bot.name))),
      ...group(Object.keys(reasons).length ? "Bots that need a parameter" : "Bots", open.map((bot) => option(bot.name, bot.name))),
      ...group("Offered here", offered.map((spec) => option(`=${spec}`, spec))),
      ...group("Another", [option("typed", "A spec, such as mybot.py:MyBot")]),
      ...group("Do not play this game", not.map((bot) => html("option", {value: bot.name, disabled: "", title: reasons[bot.name]}, bot.name))));
    this.select.value = [...this.select.options].some((one) => one.value === wanted && !one.disabled) ? wanted
      : [...this.select.options].find((one) => !one.disabled && one.value !== HUMAN).value;
    this.update();
  }

  update() {
    const bot = this.setup.bots.find((one) => one.name === this.select.value);
    this.about.textContent = this.select.value === HUMAN ? "sees what this seat may see; a second person gets a link"
      : bot ? bot.summary : "";
    const show = () => { this.spec.textContent = this.value() === this.select.value ? "" : this.value(); };
    if (this.select.value === "typed") {
      const input = html("input", {type: "text", "aria-label": "Spec", placeholder: "mcts(simulations=200)", spellcheck: "false"});
      input.value = this.values.typed ?? "";
      input.addEventListener("input", () => { this.values.typed = input.value; });
      this.form.replaceChildren(input);
    } else {
      this.form.replaceChildren(...(bot && bot.name !== HUMAN && bot.parameters.length ? [parameterForm(bot, this.setup.game, this.values, show)] : []));
    }
    show();
  }

  value() {
    const chosen = this.select.value;
    if (chosen.startsWith("=")) {
      return chosen.slice(1);
    }
    if (chosen === "typed") {
      return (this.values.typed ?? "").trim();
    }
    const bot = this.setup.bots.find((one) => one.name === chosen);
    return chosen === HUMAN || !bot ? chosen : specOf(bot, this.values);
  }
}

async function setupPage(main, parameters) {
  document.title = "New match – spielwright";
  const gameName = parameters.get("game") || "connect_four";
  let tournament = location.hash === "#tournament";
  const name = html("input", {type: "text", id: "game-name", spellcheck: "false", autocomplete: "off", list: "game-names"});
  name.value = gameName;
  const names = html("datalist", {id: "game-names"});
  const shown = html("div", {class: "chosen-game", "aria-live": "polite"});
  const players = html("div", {class: "choices"});
  const more = html("div", {class: "options"});
  const kind = switcher("What to play", [[false, "One match"], [true, "Tournament"]], tournament,
    (value) => { tournament = value; build(); });
  main.append(html("h1", {}, "Set up"),
    html("form", {class: "setup"},
      html("div", {}, html("label", {for: "game-name"}, "Game, with parameters in brackets"), name, names, shown),
      html("div", {}, kind, players, more)));
  main.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  const setup = {game: gameName, bots: [], reasons: {}, people: true, offered: []};
  let game = null;
  let chosen = [];

  function addBot(first) {
    const one = new PlayerChoice(`Bot ${chosen.length + 1}`, {...setup, people: false}, first);
    chosen.push(one);
    players.append(one.element);
  }

  function build() {
    players.replaceChildren();
    chosen = [];
    if (!game) {
      return;
    }
    const input = (id, label, value, hint) => {
      const made = html("input", {id, type: "text", inputmode: "numeric", autocomplete: "off", placeholder: hint || ""});
      made.value = value;
      return [made, html("div", {class: "field"}, html("label", {for: id}, label), made)];
    };
    const whole = (made, label) => {
      if (made.value.trim() === "") {
        return undefined;
      }
      if (!/^\d+(\.\d+)?$/.test(made.value.trim())) {
        throw new Refusal(`${label}: expected a number, found ${made.value}`);
      }
      return Number(made.value);
    };
    if (!tournament) {
      const strong = game.secrets ? "random" : "mcts";
      for (let seat = 0; seat < game.players; seat++) {
        const one = new PlayerChoice(`Player ${seat}`, setup, seat === 0 ? HUMAN : setup.reasons[strong] ? "random" : strong);
        chosen.push(one);
        players.append(one.element);
      }
      const [pace, paceField] = input("pace", "Seconds a move, for watching bots", "0.5");
      more.replaceChildren(paceField, button("Sit down", async () => {
        const seats = chosen.map((one) => one.value());
        const people = seats.includes(HUMAN);
        const made = await post("/api/tables", {game: name.value.trim(), seats, pace: people ? 0.15 : whole(pace, "Seconds") ?? 0.5});
        const own = Object.keys(made.keys).map(Number).sort((a, b) => a - b);
        if (own.length) {
          keys.keep(made.id, made.keys[own[0]]);
          sessionStorage.setItem(`links ${made.id}`, JSON.stringify(own.slice(1).map((seat) => [seat, made.keys[seat]])));
        }
        go(`/table/${made.id}`);
      }, {class: "primary"}));
    } else {
      const [games, gamesField] = input("num-games", "Matches of each two", "20");
      const [plies, pliesField] = input("plies", "Random moves before", "0");
      const [seed, seedField] = input("seed", "Seed", "1");
      addBot(setup.reasons.mcts ? "random" : "mcts");
      addBot("random");
      more.replaceChildren(button("Another bot", async () => addBot()), gamesField, pliesField, seedField,
        button("Start the tournament", async () => {
          const made = await post("/api/runs", {game: name.value.trim(), bots: chosen.map((one) => one.value()),
            num_games: whole(games, "Matches"), opening_plies: whole(plies, "Random moves"), seed: whole(seed, "Seed")});
          go(`/watch/${made.id}`);
        }, {class: "primary"}),
        html("p", {class: "soft"}, "Or all methods in all games: ", button("Start the league", async () => {
          const made = await post("/api/runs", {kind: "league"});
          go(`/watch/${made.id}`);
        }, {class: "quiet"})));
    }
  }

  async function load() {
    const wanted = name.value.trim();
    shown.setAttribute("aria-busy", "true");
    try {
      game = await get(`/api/game?name=${encodeURIComponent(wanted)}`);
    } catch (error) {
      shown.replaceChildren(html("p", {class: "wrong"}, error.message));
      game = null;
      build();
      return;
    } finally {
      shown.removeAttribute("aria-busy");
    }
    history.replaceState(history.state, "", playAddress(wanted) + (tournament ? "#tournament" : ""));
    shown.replaceChildren(html("div", {class: "preview"}, drawPosition(game.preview, undefined, "", game.title)),
      html("h2", {}, breakable(game.title)), chips(game),
      ...(game.rules ? [html("details", {}, html("summary", {}, "Rules"), html("pre", {class: "prose"}, game.rules))] : []));
    setup.game = wanted;
    setup.reasons = {};
    build();
    const reasons = await get(`/api/fits?game=${encodeURIComponent(wanted)}`);
    if (name.value.trim() === wanted) {
      setup.reasons = reasons;
      chosen.forEach((one) => { one.setup.reasons = reasons; one.fill(); });
    }
  }

  name.addEventListener("change", () => load().catch((error) => say(error.message, true)));
  const [bots, home] = await Promise.all([get("/api/bots"), get("/api/home")]);
  setup.bots = bots;
  setup.offered = home.offered;
  get("/api/games").then((games) => names.replaceChildren(...games.map((one) => html("option", {value: one.name}, one.title))));
  load().catch((error) => say(error.message, true));
}

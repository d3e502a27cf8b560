// The first page: games with pictures, all games by name, and what is and was played here.
"use strict";

function chips(game) {
  const [least, most] = Array.isArray(game.players) ? game.players : [game.players, game.players];
  const secrets = game.secrets ?? game.information === "imperfect_information";
  const atOnce = game.at_once ?? game.dynamics === "simultaneous";
  const words = [least === most ? `${least} player${least === 1 ? "" : "s"}` : `${least} to ${most} players`,
    ...(secrets ? ["hidden information"] : []), ...(atOnce ? ["moves at once"] : [])];
  return html("span", {class: "chips"}, words.join(" · "));
}

const playAddress = (game) => `/play?game=${encodeURIComponent(game)}`;

function gameCard(game) {
  const picture = html("div", {class: "preview", "aria-hidden": "true"}, drawPosition(game.preview, undefined, "", ""));
  picture.querySelectorAll("[tabindex]").forEach((one) => one.removeAttribute("tabindex"));
  return html("a", {class: "game-card", href: playAddress(game.name)}, picture,
    html("strong", {}, breakable(game.name)), chips(game));
}

const STATES = {playing: "running", over: "over", void: "void", left: "left"};

function tableRow(table) {
  const href = table.state === "over" ? `/match/played/${table.match}` : `/table/${table.id}`;
  return html("li", {}, html("a", {href}, breakable(table.game)),
    html("span", {class: `state ${table.state}`}, STATES[table.state]),
    html("span", {class: "who"}, ...table.seats.flatMap((spec, seat) => [...(seat ? [" – "] : []), breakable(spec)])),
    html("time", {}, ago(table.created)));
}

function runRow(run) {
  return html("li", {}, html("a", {href: `/watch/${run.id}`}, breakable(run.title)),
    html("span", {class: `state ${run.running ? "playing" : "left"}`}, run.running ? "running" : "not running"),
    html("time", {}, ago(run.created)));
}

async function homePage(main) {
  const [home] = await Promise.all([get("/api/home")]);
  document.title = "spielwright";
  const cards = html("div", {class: "cards", "aria-busy": "true"});
  const list = html("ul", {class: "names"});
  const filter = html("input", {type: "search", placeholder: "Any of OpenSpiel's games, such as oware", "aria-label": "Find a game"});
  main.append(html("h1", {}, "A table to sit at"),
    html("p", {class: "lead"}, "Play against any bot, watch tournaments as they run, look back at every match and inside the heads of the bots."),
    cards, html("h2", {}, "All games"), filter, list);
  const section = (title, rows, empty) => main.append(html("h2", {}, title),
    rows.length ? html("ul", {class: "rows"}, ...rows) : html("p", {class: "soft"}, empty));
  section("Tables", home.tables.map(tableRow), "Nobody has played here yet: choose a game.");
  if (home.played) {
    main.append(html("p", {}, html("a", {href: "/watch/played"}, "All matches that were played at tables")));
  }
  section("Tournaments and databases", [...home.runs.map(runRow), ...home.databases.map((one) =>
    html("li", {}, html("a", {href: `/watch/${one.id}`}, one.name), html("span", {class: "state"}, "database")))],
  "None is running. A database that a command fills can be watched too: spielwright serve --db=matches.db");
  get("/api/featured").then((games) => {
    cards.replaceChildren(...games.map(gameCard));
    cards.setAttribute("aria-busy", "false");
  }).catch((error) => cards.replaceChildren(html("p", {}, error.message)));
  let games = null;
  const fill = async () => {
    games ??= await get("/api/games");
    const wanted = filter.value.trim().toLowerCase();
    const found = wanted ? games.filter((game) => `${game.name} ${game.title}`.toLowerCase().includes(wanted)) : [];
    list.replaceChildren(...found.slice(0, 24).map((game) => html("li", {},
      html("a", {href: playAddress(game.name)}, breakable(game.name)), " ", html("span", {class: "soft"}, game.title), chips(game))),
    ...(wanted && !found.length ? [html("li", {class: "soft"}, "No game is called so.")] : []));
  };
  filter.addEventListener("input", () => fill().catch((error) => say(error.message, true)));
}

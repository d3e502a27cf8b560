// A database of matches as it grows: standings, latest matches, and the process that plays.
"use strict";

function standingsTable(table) {
  const values = table.rows.flatMap((row) => [row.low ?? row.value, row.high ?? row.value]);
  const [least, most] = table.measure === "score" ? [0, 1] : [Math.min(0, ...values), Math.max(0, ...values)];
  const at = (value) => 100 * (value - least) / (most - least || 1);
  return html("section", {class: "standing"}, html("h3", {}, breakable(table.game)),
    html("div", {class: "scroll"}, html("table", {class: "standings"},
      html("caption", {}, `${table.matches.toLocaleString("en")} matches, ${table.measure}`),
      html("thead", {}, html("tr", {}, ...["", "bot", table.measure, "matches"].map((name, place) =>
        html("th", {scope: "col", class: place > 1 ? "figure" : ""}, name)))),
      html("tbody", {}, ...table.rows.map((row, place) => {
        const bar = html("div", {class: "interval", role: "img",
          "aria-label": `95 % interval ${figure(row.low)} to ${figure(row.high)}`}, html("i"), html("b"));
        bar.firstChild.style.left = `${at(row.low ?? row.value)}%`;
        bar.firstChild.style.right = `${100 - at(row.high ?? row.value)}%`;
        bar.lastChild.style.left = `${at(row.value)}%`;
        return html("tr", {}, html("td", {class: "soft"}, String(place + 1)),
          html("th", {scope: "row"}, breakable(row.bot), bar,
            ...(row.forfeits ? [html("small", {class: "wrong"}, `${row.forfeits} forfeited`)] : [])),
          html("td", {class: "figure"}, html("b", {}, row.value.toFixed(table.measure === "score" ? 3 : 2).replace("-", "−"))),
          html("td", {class: "figure"}, row.matches.toLocaleString("en")));
      })))));
}

function matchRow(database, match) {
  return html("li", {}, html("a", {href: `/match/${database}/${match.id}`}, `${match.id}`),
    html("span", {class: "who"}, ...match.seats.flatMap((spec, seat) => [...(seat ? [" – "] : []), breakable(spec)])),
    html("span", {class: "soft"}, match.returns.map(number).join(" : ")),
    ...(match.forfeit !== null ? [html("span", {class: "state void"}, "forfeit")] : []),
    html("span", {class: "soft game"}, breakable(match.game)));
}

async function watchPage(main, database, signal) {
  document.title = `${database} – spielwright`;
  const title = html("h1", {}, breakable(database));
  const run = html("div", {class: "run"});
  const progress = html("div", {class: "progress-side"});
  const tables = html("div", {class: "standing-list"});
  const recent = html("ol", {class: "rows"});
  const log = html("div");
  main.append(title, run, progress, tables, html("h2", {}, "Latest matches"), recent,
    html("p", {class: "acts"}, button("Save the report", () => download(`/api/watch/${database}/report`, "report.html")), " ",
      button("Earlier matches", async () => {
        const last = recent.lastElementChild && recent.lastElementChild.firstChild.textContent;
        const found = await get(`/api/watch/${database}/matches${last ? `?before=${last}` : ""}`);
        recent.append(...found.map((match) => matchRow(database, match)));
        if (!found.length) {
          say("There are no earlier ones.");
        }
      })), log);

  function drawRun(told) {
    if (!told) {
      return;
    }
    title.replaceChildren(breakable(told.title));
    run.replaceChildren(html("span", {class: `state ${told.running ? "playing" : "left"}`}, told.running ? "running" : "not running"), " ",
      told.running ? button("Stop", async () => { await post(`/api/runs/${database}/stop`, {}); say("It ends the match that it plays, and stops."); })
        : button("Go on", async () => { await post(`/api/runs/${database}/resume`, {}); }, {class: "primary"}));
    main.setAttribute("data-running", String(told.running));
    log.replaceChildren(kept("log", "What the command says", html("code", {class: "spec"}, told.command), html("pre", {tabindex: "0"}, told.log || "nothing yet")));
  }

  function draw(told) {
    if (told.error) {
      progress.replaceChildren(html("p", {class: "soft"}, "No match has been stored yet."));
      return;
    }
    main.setAttribute("data-matches", String(told.matches));
    const sizes = told.experiments.filter((one) => one.planned);
    progress.replaceChildren(...(sizes.length ? sizes : [null]).map((one) => {
      const [done, all] = one ? [one.matches, one.planned] : [told.matches, null];
      const text = all ? `${done.toLocaleString("en")} of ${all.toLocaleString("en")} matches` : `${done.toLocaleString("en")} matches`;
      const name = one && sizes.length > 1 ? `${one.config.game}: ` : "";
      return html("div", {class: "progress"}, html("span", {}, name + text),
        ...(all ? [html("progress", {max: all, value: done, "aria-label": name + text})] : []));
    }));
    tables.replaceChildren(...told.tables.map(standingsTable));
    recent.replaceChildren(...told.recent.map((match) => matchRow(database, match)));
  }

  await follow(() => `/api/watch/${database}/events`, (event, value) => {
    (event === "run" ? drawRun : draw)(value);
    return false;
  }, signal);
}

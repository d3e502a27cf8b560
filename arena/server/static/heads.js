// Inside the heads: what bots have to say of their moves. `arena.matches.heads` describes the panels.
"use strict";

const unfoldedHeads = new Set();

/** A folded part that stays as it was from move to move. */
function kept(name, summary, ...content) {
  const made = html("details", {}, html("summary", {}, summary), ...content);
  made.open = unfoldedHeads.has(name);
  made.addEventListener("toggle", () => {
    made.open ? unfoldedHeads.add(name) : unfoldedHeads.delete(name);
  });
  return made;
}

function figure(value) {
  return value === null || value === undefined ? "–" : typeof value !== "number" ? String(value)
    : Number.isInteger(value) ? value.toLocaleString("en") : value.toFixed(3).replace("-", "−");
}

/** A search as a tree that opens: a row for each move, with a bar for its share of the visits. */
function searchPanel(panel) {
  const most = (nodes) => Math.max(1, ...nodes.map((node) => node.numbers[0] ?? 0));
  const row = (node, largest) => {
    const bar = html("span", {class: "share", "aria-hidden": "true"});
    bar.style.setProperty("--share", `${100 * (node.numbers[0] ?? 0) / largest}%`);
    return [html("span", {class: node.best ? "best move" : "move"}, node.name), bar,
      ...node.numbers.map((value, place) => html("span", {class: "figure", title: panel.columns[place]}, figure(value)))];
  };
  const branch = (node, largest, path) => {
    if (!node.children || !node.children.length) {
      return html("div", {class: "leaf line"}, ...row(node, largest));
    }
    const inner = html("div", {class: "children"});
    const made = html("details", {class: "branch"}, html("summary", {class: "line"}, ...row(node, largest)), inner);
    const fill = () => {
      if (made.open && !inner.hasChildNodes()) {
        const own = most(node.children);
        inner.append(...node.children.map((child) => branch(child, own, `${path}/${child.name}`)));
      }
    };
    made.addEventListener("toggle", fill);
    return made;
  };
  const largest = most(panel.nodes);
  const head = html("div", {class: "line head"}, html("span", {class: "move"}, "move"), html("span"),
    ...panel.columns.map((name) => html("span", {class: "figure"}, name)));
  const tree = html("div", {class: `search-tree columns-${panel.columns.length}`}, head,
    ...panel.nodes.map((node) => branch(node, largest, node.name)));
  return [...(panel.line && panel.line.length
    ? [html("p", {class: "variation"}, html("span", {}, "expects "), panel.line.join(" · "))] : []), tree];
}

/** A behaviour tree, each node lit by what it said in this tick. */
function ticksPanel(panel, edit) {
  const words = {success: "success", failure: "failure", running: "running"};
  const last = (place) => {
    let end = place;
    while (end + 1 < panel.nodes.length && panel.nodes[end + 1].depth > panel.nodes[place].depth) {
      end += 1;
    }
    return end;
  };
  return [html("ol", {class: "ticks"}, ...panel.nodes.map((node, place) => {
    const line = html("li", {class: node.said || "still"}, html("code", {}, node.text),
      ...(node.said ? [html("span", {class: "verdict"}, words[node.said] || node.said)] : []));
    if (edit) {
      const pen = button("edit", () => edit(place, last(place)), {class: "quiet pen"});
      pen.setAttribute("aria-label", `Edit from ${node.text}`);
      line.append(pen);
    }
    line.style.setProperty("--depth", String(node.depth));
    return line;
  }))];
}

function codePanel(panel) {
  const lit = new Set(panel.lit || []);
  const lines = panel.text.split("\n");
  const pre = html("pre", {class: "code", tabindex: "0"},
    ...lines.map((text, place) => html("span", lit.has(place + 1) ? {class: "lit"} : {}, `${text}\n`)));
  const made = kept(`code ${panel.title.split(";")[0]}`, `${lines.length} lines`, pre);
  const first = pre.querySelector(".lit");
  const show = () => { if (made.open && first) pre.scrollTop = first.offsetTop - pre.offsetTop; };
  made.addEventListener("toggle", show);
  requestAnimationFrame(show);
  return [made];
}

function tablePanel(panel) {
  return [html("div", {class: "scroll"}, html("table", {},
    html("thead", {}, html("tr", {}, ...panel.columns.map((name) => html("th", {scope: "col"}, name)))),
    html("tbody", {}, ...panel.rows.map((row) => html("tr", {}, ...row.map((value, place) =>
      html("td", typeof value === "number" ? {class: "figure"} : {}, figure(value))))))))];
}

function linesPanel(panel) {
  return [html("ol", {class: "plan"}, ...panel.lines.map((line) =>
    html("li", line.mark ? {class: line.mark} : {}, html("code", {}, line.text),
      ...(line.remark ? [html("small", {}, line.remark)] : []))))];
}

function textPanel(panel) {
  return panel.text.length > 160 || panel.text.includes("\n")
    ? [kept(`text ${panel.title}`, `${panel.text.split("\n").length} lines`, html("pre", {tabindex: "0"}, panel.text))]
    : [html("p", {}, panel.text)];
}

const PANELS = {search: searchPanel, ticks: ticksPanel, code: codePanel, table: tablePanel, lines: linesPanel, text: textPanel};

/** The panels of one bot's move; `who` is an element that names the bot. `edit(first, last)`, where there is one, opens the
 * bot's text at the parts with these numbers. */
function drawHead(panels, who, edit) {
  return html("section", {class: "head"}, who, ...panels.map((panel) =>
    html("div", {class: `panel ${panel.kind}`}, html("h4", {}, panel.title),
      ...(edit && panel.kind === "code" ? [button("Edit", () => edit(0, 0), {class: "quiet pen"})] : []),
      ...(PANELS[panel.kind] || (() => [html("pre", {}, JSON.stringify(panel, null, 1))]))(panel, edit))));
}

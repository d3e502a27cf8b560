// Which page an address shows.
"use strict";

let leaving = new AbortController();

const PAGES = [
  [/^\/$/, homePage],
  [/^\/play$/, (main) => setupPage(main, new URLSearchParams(location.search))],
  [/^\/table\/([\w-]+)$/, (main, id, signal) => tablePage(main, id, signal)],
  [/^\/match\/([\w.-]+)\/(\d+)$/, (main, database, id) => matchPage(main, database, Number(id))],
  [/^\/watch\/([\w.-]+)$/, (main, id, signal) => watchPage(main, id, signal)],
];

async function open(focus) {
  leaving.abort();
  leaving = new AbortController();
  const {signal} = leaving;
  const main = html("main", {id: "main", tabindex: "-1"});
  document.getElementById("main").replaceWith(main);
  main.setAttribute("aria-busy", "true");
  const path = decodeURIComponent(location.pathname);
  for (const [pattern, page] of PAGES) {
    const found = pattern.exec(path);
    if (found) {
      const waiting = page(main, ...found.slice(1), signal);
      const settled = Promise.resolve(waiting).catch((error) => {
        if (!signal.aborted) {
          main.append(html("p", {class: "wrong plain", role: "alert"}, error.message));
        }
      });
      await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, 50))]);
      settled.then(() => main.setAttribute("aria-busy", "false"));
      const first = main.querySelector("h1");
      if (focus && first) {
        first.tabIndex = -1;
        first.focus({preventScroll: true});
      }
      return;
    }
  }
  main.append(html("h1", {}, "Nothing is here"), html("p", {}, html("a", {href: "/"}, "To the games")));
}

/** Goes to another page of this server. */
function go(address, instead = false) {
  history[instead ? "replaceState" : "pushState"](null, "", address);
  scrollTo(0, 0);
  open(true);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='/']");
  if (link && !link.target && !link.hasAttribute("download") && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
    event.preventDefault();
    go(link.getAttribute("href"));
  }
});
addEventListener("popstate", () => open(true));
open(false);

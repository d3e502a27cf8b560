// Talking to the server: requests, streams of events, and the keys of seats.
"use strict";

/** The token of the server, which stands behind the # of the first address only. */
const token = (() => {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem("token", given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return given || sessionStorage.getItem("token");
})();

function headers(key) {
  return {...(token ? {Authorization: `Bearer ${token}`} : {}), ...(key ? {"X-Key": key} : {})};
}

class Refusal extends Error {}

async function answered(response) {
  if (response.ok) {
    return response;
  }
  const said = await response.json().catch(() => ({}));
  throw new Refusal(said.error || `the server answers ${response.status}`);
}

async function get(path, key) {
  return (await answered(await fetch(path, {headers: headers(key)}))).json();
}

async function post(path, value, key) {
  return (await answered(await fetch(path, {
    method: "POST", body: JSON.stringify(value), headers: {...headers(key), "Content-Type": "application/json"},
  }))).json();
}

/** Saves what an address holds as a file. */
async function download(path, name) {
  const content = await (await answered(await fetch(path, {headers: headers()}))).blob();
  const link = html("a", {href: URL.createObjectURL(content), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/**
 * Follows a stream of server-sent events until `signal` is aborted; a broken one is taken up again.
 * `address(from)` is asked for the address each time; `hear(event, data, id)` returns true at the end.
 */
async function follow(address, hear, signal, key) {
  let last = -1;
  let wait = 500;
  while (!signal.aborted) {
    try {
      const response = await answered(await fetch(address(last + 1), {headers: headers(key), signal}));
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const {value, done} = await reader.read();
        if (done) {
          break;
        }
        wait = 500;
        const parts = (rest + value).split("\n\n");
        rest = parts.pop();
        for (const part of parts) {
          const fields = Object.fromEntries(part.split("\n").filter((line) => /^\w+: /.test(line))
            .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
          if (fields.id !== undefined) {
            last = Number(fields.id);
          }
          if (fields.data !== undefined && hear(fields.event, JSON.parse(fields.data), last)) {
            reader.cancel();
            return;
          }
        }
      }
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      if (error instanceof Refusal) {
        throw error;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(wait * 2, 8000);
  }
}

/** The key of a seat at a table: from the address, or as this tab has kept it. */
const keys = {
  of(table) {
    const given = new URLSearchParams(location.hash.slice(1)).get("key");
    if (given) {
      localStorage.setItem(`key ${table}`, given);
      history.replaceState(history.state, "", location.pathname);
    }
    return given || localStorage.getItem(`key ${table}`);
  },
  keep(table, key) {
    localStorage.setItem(`key ${table}`, key);
  },
};

let quiet = 0;

/** Says a sentence at the foot of the page for some seconds, and to screen readers. */
function say(text, wrong = false) {
  const place = document.getElementById("said");
  place.textContent = text;
  place.classList.toggle("wrong", wrong);
  place.hidden = false;
  clearTimeout(quiet);
  quiet = setTimeout(() => { place.hidden = true; }, wrong ? 9000 : 4000);
}

/** A handler that says what goes wrong in it, and keeps its button from a second press meanwhile. */
function acting(act) {
  return async (event) => {
    event.preventDefault();
    const button = event.currentTarget;
    if (button.getAttribute("aria-busy") === "true") {
      return;
    }
    button.setAttribute("aria-busy", "true");
    try {
      await act(event);
    } catch (error) {
      say(error.message, true);
    }
    button.removeAttribute("aria-busy");
  };
}

function button(text, act, attributes = {}) {
  const made = html("button", {type: "button", ...attributes}, text);
  made.addEventListener("click", acting(act));
  return made;
}

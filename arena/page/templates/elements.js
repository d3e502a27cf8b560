// Elements and texts. Whatever comes from bots and games only ever becomes attributes and text nodes.
"use strict";

/** Makes an HTML element; a child that is a string becomes text. */
function html(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** Makes an SVG element with attributes and children; a child that is a string becomes text. */
function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** A name with places where a line may break. */
function breakable(name) {
  const made = html("span", {class: "name"});
  name.match(/[^(,_\/:]*[(,_\/:]?/g).forEach((part) => made.append(part, document.createElement("wbr")));
  return made;
}

const number = (value) => String(Math.round(value * 1e6) / 1e6).replace("-", "−");
const seconds = (value) => value >= 100 ? `${value.toFixed(0)} s` : value >= 1 ? `${value.toFixed(1)} s`
  : value >= 0.001 ? `${(value * 1000).toFixed(0)} ms` : `${(value * 1e6).toFixed(0)} µs`;

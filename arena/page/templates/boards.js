// Draws positions as SVG: one function for each shape of `games.boards.SHAPES`.
"use strict";

const CELL = 40;

/** A piece of `games.boards.Piece` around (x, y), as high as a cell of `size`. */
function drawPiece(piece, x, y, size = CELL) {
  const r = size * 0.4;
  const drawn = svg("g", {class: `piece ${piece.colour}`});
  if (piece.sign === "cross") {
    const d = r * 0.8;
    drawn.append(svg("path", {class: "stroke", "stroke-width": size / 8,
      d: `M${x - d} ${y - d}L${x + d} ${y + d}M${x + d} ${y - d}L${x - d} ${y + d}`}));
  } else if (piece.sign === "ring") {
    drawn.append(svg("circle", {class: "stroke", cx: x, cy: y, r: r * 0.85, "stroke-width": size / 8}));
  } else if (piece.sign === "disc" || piece.sign === "king") {
    drawn.append(svg("circle", {class: "fill", cx: x, cy: y, r}));
    if (piece.sign === "king") {
      const u = size / 10;
      drawn.append(svg("path", {class: "crown", d: `M${x - 2.2 * u} ${y + 1.6 * u}l-.5 ${-3.4 * u}` +
        `l${1.5 * u} ${1.5 * u}l${1.2 * u + 0.5} ${-2.2 * u}l${1.2 * u + 0.5} ${2.2 * u}` +
        `l${1.5 * u} ${-1.5 * u}l-.5 ${3.4 * u}z`}));
    }
  } else if (piece.sign === "block") {
    const d = size * 0.36;
    drawn.append(svg("rect", {class: "block", x: x - d, y: y - d, width: 2 * d, height: 2 * d, rx: 3}));
  } else if (piece.sign === "unknown") {
    const d = size / 2;
    drawn.append(svg("rect", {class: "unknown", x: x - d, y: y - d, width: size, height: size}));
  } else {
    // U+FE0E asks for the plain form of characters that also exist as coloured emoji.
    drawn.append(svg("text", {class: "glyph", x, y: y + size * 0.3, "font-size": size * 0.86},
      piece.sign + "\uFE0E"));
  }
  return drawn;
}

/** The (row, column) of each cell that differs from the position before, was seen then and is now. */
function changedCells(board, rows, before) {
  const changed = [];
  const hidden = (cell) => Object.hasOwn(board.pieces, cell) && board.pieces[cell].sign === "unknown";
  rows.forEach((row, i) => [...row].forEach((cell, j) => {
    if (before && before[i] !== undefined && before[i][j] !== cell && !hidden(cell) && !hidden(before[i][j])) {
      changed.push([i, j]);
    }
  }));
  return changed;
}

/** The labels of columns below and of ranks to the left of a grid; `size` is that of their letters. */
function labels(board, left, top, columns, rows, size) {
  const made = svg("g", {class: "labels"});
  const label = (x, y, text) => made.append(
    svg("text", {x, y: y + size * 0.36, "font-size": size}, text));
  board.columns.slice(0, columns).forEach(
    (text, j) => label(left + (j + 0.5) * CELL, top + rows * CELL + size * 0.9, text));
  board.ranks.forEach((text, i) => label(left - size * 0.9, top + (i + 0.5) * CELL, text));
  return made;
}

/** Boards of cells in rows and columns: squares, checkered, drop, crossings. */
function drawGrid(board, rows, before) {
  const columns = Math.max(...rows.map((row) => row.length));
  const letters = 0.033 * CELL * Math.max(columns, rows.length); // as large on every board
  const left = board.ranks.length ? letters * 1.9 : 2;
  const width = left + columns * CELL + 2;
  const height = 2 + rows.length * CELL + (board.columns.length ? letters * 1.7 : 2);
  const drawn = svg("svg", {viewBox: `0 0 ${width} ${height}`, class: `board ${board.shape}`});
  const at = (j) => left + j * CELL;
  const down = (i) => 2 + i * CELL;
  drawn.append(svg("rect", {class: "ground", x: left, y: 2, width: columns * CELL,
    height: rows.length * CELL, rx: board.shape === "drop" ? 10 : 2}));
  rows.forEach((row, i) => [...row].forEach((_, j) => {
    if (board.shape === "drop") {
      drawn.append(svg("circle", {class: "hole", cx: at(j + 0.5), cy: down(i + 0.5), r: CELL * 0.4}));
    } else if (board.shape !== "crossings") {
      // The square in the lower left corner is a dark one.
      const dark = board.shape === "checkered" && (rows.length - 1 - i + j) % 2 === 0;
      drawn.append(svg("rect", {class: dark ? "cell dark" : "cell", x: at(j), y: down(i),
        width: CELL, height: CELL}));
    }
  }));
  if (board.shape === "crossings") {
    let lines = "";
    rows.forEach((_, i) => { lines += `M${at(0.5)} ${down(i + 0.5)}H${at(columns - 0.5)}`; });
    for (let j = 0; j < columns; j++) {
      lines += `M${at(j + 0.5)} ${down(0.5)}V${down(rows.length - 0.5)}`;
    }
    drawn.append(svg("path", {class: "lines", d: lines}));
  }
  const changed = changedCells(board, rows, before);
  if (board.shape === "squares" || board.shape === "checkered") {
    changed.forEach(([i, j]) => drawn.append(
      svg("rect", {class: "changed", x: at(j), y: down(i), width: CELL, height: CELL})));
  }
  rows.forEach((row, i) => [...row].forEach((cell, j) => {
    if (Object.hasOwn(board.pieces, cell)) {
      drawn.append(drawPiece(board.pieces[cell], at(j + 0.5), down(i + 0.5)));
    }
  }));
  if (board.shape === "drop" || board.shape === "crossings") {
    changed.filter(([i, j]) => Object.hasOwn(board.pieces, rows[i][j])).forEach(([i, j]) => drawn.append(
      svg("circle", {class: "last", cx: at(j + 0.5), cy: down(i + 0.5), r: CELL * 0.14})));
  }
  drawn.append(labels(board, left, 2, columns, rows.length, letters));
  drawn.cellAt = (x, y) => [Math.floor((y - 2) / CELL), Math.floor((x - left) / CELL)];
  return drawn;
}

/** Hexagons with a corner on top; a blank before a row's cells shifts it by half a cell. */
function drawHexagons(board, rows, before) {
  const r = CELL / Math.sqrt(3);
  const indent = (row) => row.length - row.trimStart().length;
  const cells = rows.map((row) => [...row.trimStart()]);
  const x = (i, j) => 6 + (indent(rows[i]) / 2 + j + 0.5) * CELL;
  const y = (i) => 6 + r + i * r * 1.5;
  const width = Math.max(...rows.map((row, i) => x(i, cells[i].length - 1))) + CELL / 2 + 6;
  const drawn = svg("svg", {viewBox: `0 0 ${width} ${y(rows.length - 1) + r + 6}`, class: "board hexagons"});
  const corner = (i, j, k) => [x(i, j) + r * Math.sin(k * Math.PI / 3), y(i) - r * Math.cos(k * Math.PI / 3)];
  const path = (points) => "M" + points.map((point) => point.map((v) => v.toFixed(1)).join(" ")).join("L");
  cells.forEach((row, i) => row.forEach((_, j) => drawn.append(
    svg("path", {class: "cell", d: path([0, 1, 2, 3, 4, 5].map((k) => corner(i, j, k))) + "z"}))));
  if (board.edges.length) {
    const last = rows.length - 1;
    const end = cells[0].length - 1;
    const edge = (colour, points) => drawn.append(svg("path", {class: `edge ${colour}`, d: path(points)}));
    edge(board.edges[0], cells[0].flatMap((_, j) => [corner(0, j, 5), corner(0, j, 0), corner(0, j, 1)]));
    edge(board.edges[0], cells[last].flatMap((_, j) => [corner(last, j, 4), corner(last, j, 3), corner(last, j, 2)]));
    edge(board.edges[1], cells.flatMap((_, i) => [corner(i, 0, 5), corner(i, 0, 4), corner(i, 0, 3)]));
    edge(board.edges[1], cells.flatMap((_, i) => [corner(i, end, 0), corner(i, end, 1), corner(i, end, 2)]));
  }
  cells.forEach((row, i) => row.forEach((cell, j) => {
    if (Object.hasOwn(board.pieces, cell)) {
      drawn.append(drawPiece(board.pieces[cell], x(i, j), y(i), CELL * 0.95));
      if (before && before[i] && [...before[i].trimStart()][j] !== cell) {
        drawn.append(svg("circle", {class: "last", cx: x(i, j), cy: y(i), r: CELL * 0.14}));
      }
    }
  }));
  drawn.cellAt = (px, py) => {
    let nearest = [-1, -1];
    let least = r * r;
    cells.forEach((row, i) => row.forEach((_, j) => {
      const apart = (x(i, j) - px) ** 2 + (y(i) - py) ** 2;
      [nearest, least] = apart < least ? [[i, j], apart] : [nearest, least];
    }));
    return nearest;
  };
  return drawn;
}

/** Backgammon as x, player 0, sits at it: x's points 1 to 12 below, from the right. */
function drawBackgammon(board, rows, before) {
  const numbers = rows.map((row) => row.split(" ").filter(Boolean).map(Number));
  const [points, bar, off, dice] = numbers;
  const earlier = before && before[0].split(" ").map(Number);
  const [width, high, top, base] = [14 * CELL + 48, 5.4 * CELL, 20, 20 + 12 * CELL];
  const drawn = svg("svg", {viewBox: `0 0 ${width} ${base + 20}`, class: "board backgammon"});
  const middle = (top + base) / 2;
  drawn.append(svg("rect", {class: "ground", x: 2, y: top, width: 13 * CELL + 12, height: base - top, rx: 4}),
    svg("rect", {class: "bar", x: 6 * CELL + 4, y: top, width: CELL + 8, height: base - top}),
    svg("rect", {class: "tray", x: 13 * CELL + 18, y: top, width: CELL + 24, height: base - top, rx: 4}));
  const checkers = (count, player, x, start, step) => {
    for (let k = 0; k < Math.min(count, 5); k++) {
      drawn.append(drawPiece(board.pieces[player ? "o" : "x"], x, start + step * (k + 0.5) * CELL * 0.98));
    }
    if (count > 5) {
      drawn.append(svg("text", {class: "count", x, y: start + step * 4.5 * CELL * 0.98 + 5}, String(count)));
    }
  };
  points.forEach((count, index) => {
    const point = 24 - index; // as x counts
    const upper = point > 12;
    const column = upper ? point - 13 : 12 - point;
    const x = 4 + (column + 0.5) * CELL + (column > 5 ? CELL + 4 : 0);
    const [start, step] = upper ? [top, 1] : [base, -1];
    const changed = earlier && earlier[index] !== count;
    drawn.append(svg("path", {class: `point ${column % 2 === Number(upper) ? "even" : "odd"}` +
      (changed ? " changed" : ""), d: `M${x - CELL / 2} ${start}h${CELL}L${x} ${start + step * high}z`}));
    checkers(Math.abs(count), count < 0 ? 1 : 0, x, start, step);
    drawn.append(svg("text", {class: "labels", x, y: upper ? 14 : base + 14}, String(point)));
  });
  const centre = 6.5 * CELL + 8;
  checkers(bar[0], 0, centre, middle + 12, 1);
  checkers(bar[1], 1, centre, middle - 12, -1);
  const tray = 13.5 * CELL + 30;
  [[off[1], 1, top + 24], [off[0], 0, base - 24]].forEach(([count, player, y]) => {
    drawn.append(drawPiece(board.pieces[player ? "o" : "x"], tray, y, CELL * 0.8),
      svg("text", {class: "off", x: tray, y: y + (player ? 34 : -24)}, `${count} off`));
  });
  const spots = {1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8]};
  (dice || []).forEach((die, k) => {
    const [x, y] = [9 * CELL + 12 + k * 48, middle - 17];
    drawn.append(svg("rect", {class: "die", x, y, width: 34, height: 34, rx: 6}));
    spots[die].forEach((spot) => drawn.append(svg("circle", {class: "spot", r: 3.2,
      cx: x + 8 + 9 * (spot % 3), cy: y + 8 + 9 * Math.floor(spot / 3)})));
  });
  return drawn;
}

/** The SVG of a position: `rows` as in `games.boards.Board`, `before` those of the position before. Its `cellAt` gives
    the [row, column] of the cell at a point of the drawing. */
function drawBoard(board, rows, before) {
  const draw = {hexagons: drawHexagons, backgammon: drawBackgammon}[board.shape] || drawGrid;
  return draw(board, rows, before);
}

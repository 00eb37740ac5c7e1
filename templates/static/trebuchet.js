// Picks cells on the map for the order form: by click, or by arrow keys and Enter while the map has the focus. A shot
// has one field; of a placement's three the one last used is filled, then the next. Typing in the fields moves the mark.
// What would stand off the field is marked at once.

const SIDE = 20;
const MARGIN = 20;
const AIM = '<path d="M-10 0h6M4 0h6M0-10v6M0 4v6"></path><circle r="7"></circle>';

function begin() {
  for (const element of document.querySelectorAll("[data-scripted]")) element.hidden = false;
  const board = document.querySelector("[data-board]");
  const fields = [...document.querySelectorAll("input[data-cell]")];
  if (board && fields.length && !board.dataset.ready) start(board, fields);
}

function start(board, fields) {
  const map = board.querySelector("svg");
  const size = { columns: Number(map.dataset.columns), rows: Number(map.dataset.rows) };
  const live = document.querySelector("[data-status]");
  const cursor = map.querySelector("[data-cursor]");
  let at = { column: Math.ceil(size.columns / 2), row: Math.ceil(size.rows / 2) };
  let chosen = 0;
  board.dataset.ready = "1";
  board.tabIndex = 0;
  board.setAttribute("role", "application");
  board.setAttribute("aria-label", map.getAttribute("aria-label"));
  fields.forEach((field, i) => {
    field.addEventListener("focus", () => (chosen = i));
    field.addEventListener("input", () => mark());
  });
  document.querySelector("[data-formation]")?.addEventListener("change", () => mark());
  map.addEventListener("click", (event) => {
    const cell = under(event);
    if (cell) pick((at = cell));
  });
  map.addEventListener("pointermove", (event) => event.pointerType === "mouse" && point(under(event)));
  map.addEventListener("pointerleave", () => point(board.matches(":focus-visible") ? at : null));
  board.addEventListener("focus", () => board.matches(":focus-visible") && point(at));
  board.addEventListener("blur", () => point(null));
  board.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step && !event.ctrlKey && !event.metaKey && !event.altKey) {
      at = { column: clamp(at.column + step[0], size.columns), row: clamp(at.row + step[1], size.rows) };
      say(board.dataset.said, at);
      point(at);
    } else if (event.key === "Enter" || event.key === " ") {
      pick(at);
    } else return;
    event.preventDefault();
  });
  mark();

  function under(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
    const cell = { column: Math.ceil((point.x - MARGIN) / SIDE), row: Math.ceil((point.y - MARGIN) / SIDE) };
    const inside = cell.column >= 1 && cell.column <= size.columns && cell.row >= 1 && cell.row <= size.rows;
    return inside ? cell : null;
  }

  function pick(cell) {
    const field = fields[chosen];
    field.value = name(cell);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    chosen = (chosen + 1) % fields.length;
    if (!outside(cell)) say(board.dataset.picked, cell);
  }

  function outside(cell) {
    const around = numbers().map((number) => beside(cell, number));
    return around.some(({ column, row }) => column < 1 || row < 1 || column > size.columns || row > size.rows);
  }

  function numbers() {
    return [...document.querySelectorAll("[data-formation] :checked")].map((box) => Number(box.value));
  }

  function mark() {
    for (const old of map.querySelectorAll(".mark.aim, .mark.plan, .mark.planned_mate")) old.remove();
    let off = null;
    fields.forEach((field, i) => {
      const cell = read(field.value);
      if (!cell) return;
      if (fields.length === 1) return draw(AIM, cell, "mark aim");
      const wrong = outside(cell) ? " off" : "";
      if (wrong) off = cell;
      for (const number of numbers()) draw('<circle r="6"></circle>', beside(cell, number), `mark planned_mate${wrong}`);
      draw(`<path d="M-8 8L0-8l8 16z"></path><text y="3">${i + 1}</text>`, cell, `mark plan${wrong}`);
    });
    live.classList.toggle("problem", Boolean(off));
    if (off) say(board.dataset.off, off);
    else if (live.textContent) live.textContent = "";
  }

  function draw(shape, cell, kind) {
    const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
    group.setAttribute("class", kind);
    group.setAttribute("transform", place(cell));
    group.innerHTML = shape;
    map.insertBefore(group, cursor);
  }

  function point(cell) {
    cursor.toggleAttribute("hidden", !cell);
    if (!cell) return;
    cursor.setAttribute("transform", place(cell));
    const text = cursor.querySelector("text");
    text.textContent = name(cell);
    text.setAttribute("y", cell.row === 1 ? 17 : -16);
  }

  function read(text) {
    const found = /^\s*([A-Za-z])([1-9][0-9]?)\s*$/.exec(text);
    const cell = found && { column: found[1].toUpperCase().charCodeAt(0) - 64, row: Number(found[2]) };
    return cell && cell.column <= size.columns && cell.row <= size.rows ? cell : null;
  }

  function say(sentence, cell) {
    live.textContent = sentence.replace("%", name(cell));
  }
}

function name(cell) {
  return String.fromCharCode(64 + cell.column) + cell.row;
}

function place(cell) {
  return `translate(${MARGIN + SIDE * cell.column - SIDE / 2} ${MARGIN + SIDE * cell.row - SIDE / 2})`;
}

function beside(cell, number) {
  const [across, down] = [[0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1]][number - 1];
  return { column: cell.column + across, row: cell.row + down };
}

function clamp(number, most) {
  return Math.min(most, Math.max(1, number));
}

document.addEventListener("page:replaced", begin);
begin();

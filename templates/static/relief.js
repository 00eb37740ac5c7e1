// Moves by clicking on the board, or by its arrow keys. The select beside it holds every legal move and stays the form.

const AWAY = "off";
let listed = false;

function start() {
  for (const list of document.querySelectorAll(".rf-moves")) {
    const now = list.querySelector("[aria-current]");
    if (now) list.scrollTop = now.offsetTop - list.clientHeight / 2;
  }
  const svg = document.querySelector("svg[data-board]");
  const select = document.querySelector("form[data-orders] #move");
  if (!svg || !select || svg.getAttribute("role") === "grid") return;
  new Board(svg, select);
}

class Board {
  constructor(svg, select) {
    this.svg = svg;
    this.select = select;
    this.form = select.form;
    this.chosen = null;
    this.shown = null;
    this.touched = false;
    this.status = svg.parentElement.querySelector(".rf-status");
    this.bubble = svg.querySelector(".rf-bubble");
    this.moves = [...select.querySelectorAll("option[data-from]")];
    this.cells = new Map([...svg.querySelectorAll(".rf-cell")].map((cell) => [cell.dataset.at, cell]));
    this.grid();
    svg.addEventListener("pointerdown", (event) => (this.touched = !isMouse(event)));
    svg.addEventListener("click", (event) => this.clicked(event.target.closest(".rf-cell")));
    svg.addEventListener("keydown", (event) => this.pressed(event));
    svg.addEventListener("pointerover", (event) => isMouse(event) && this.show(event.target.closest(".rf-cell")));
    svg.addEventListener("pointerleave", (event) => isMouse(event) && this.show(null));
    svg.addEventListener("focusin", (event) => this.focused(event.target.closest(".rf-cell")));
    select.addEventListener("change", () => this.fromList());
    this.form.addEventListener("submit", (event) => this.sent(event));
    this.choose(null);
    if (select.selectedOptions[0]?.dataset.from) this.fromList();
  }

  // The picture becomes a grid with one cell in the order of the tab key.

  grid() {
    this.svg.setAttribute("role", "grid");
    const list = this.select.closest("details");
    list.open = listed;
    list.addEventListener("toggle", () => (listed = list.open));
    const movable = new Set(this.moves.map((move) => move.dataset.from));
    for (const row of this.svg.querySelectorAll(".rf-row")) row.setAttribute("role", "row");
    for (const [at, cell] of this.cells) {
      cell.setAttribute("role", "gridcell");
      cell.setAttribute("aria-label", cell.dataset.name);
      cell.setAttribute("tabindex", "-1");
      cell.classList.toggle("own", movable.has(at));
      for (const height of cell.querySelectorAll("text")) height.setAttribute("aria-hidden", "true");
    }
    const first = this.cells.get(this.moves[0]?.dataset.from) ?? this.cells.values().next().value;
    first.setAttribute("tabindex", "0");
  }

  // Choosing.

  clicked(cell) {
    if (!cell || this.busy) return;
    const at = cell.dataset.at;
    const move = this.move(at);
    if (move) {
      if (this.touched && move.dataset.sums && this.shown !== at) this.show(cell, "tap");
      else this.play(move);
    } else if (cell.classList.contains("own")) this.choose(this.chosen === at ? null : at);
    else this.choose(null);
  }

  move(to) {
    return this.chosen && this.moves.find((move) => move.dataset.from === this.chosen && move.dataset.to === to);
  }

  choose(at) {
    this.chosen = at;
    this.show(null);
    for (const [name, cell] of this.cells) {
      const move = this.move(name);
      cell.classList.toggle("start", name === at);
      cell.classList.toggle("go", Boolean(move && !move.dataset.sums));
      cell.classList.toggle("hit", Boolean(move?.dataset.sums));
      cell.setAttribute("aria-selected", String(name === at));
      this.mark(cell);
      const extra = move ? `, ${move.textContent.trim()}` : "";
      cell.setAttribute("aria-label", cell.dataset.name + extra);
    }
    const open = this.cells.get(AWAY).classList.contains("go");
    this.cells.get(AWAY).parentElement.setAttribute("role", open ? "row" : "none");
    this.say(at ? "chosen" : "choose", at);
  }

  mark(cell) {
    if (cell.dataset.at === AWAY) return;
    const lit = ["start", "go", "hit", "from", "to"].some((name) => cell.classList.contains(name));
    const mark = cell.querySelector(".mark");
    if (lit && !mark) {
      const rect = document.createElementNS(this.svg.namespaceURI, "rect");
      for (const [name, value] of Object.entries({ class: "mark", x: 1.5, y: 1.5, width: 37, height: 37, rx: 3 })) {
        rect.setAttribute(name, value);
      }
      cell.querySelector(".ground").after(rect);
    } else if (!lit) mark?.remove();
    cell.querySelector(".dot")?.remove();
    if (cell.classList.contains("go")) {
      const dot = document.createElementNS(this.svg.namespaceURI, "circle");
      for (const [name, value] of Object.entries({ class: "dot", cx: 20, cy: 20, r: 6.5 })) dot.setAttribute(name, value);
      cell.querySelector(".height").before(dot);
    }
  }

  // The sum of an attack, above its cell and in words.

  show(cell, said = "hit") {
    const move = cell && this.move(cell.dataset.at);
    this.shown = move?.dataset.sums ? cell.dataset.at : null;
    this.bubble.setAttribute("visibility", this.shown ? "visible" : "hidden");
    if (!this.shown) return;
    const [, x, y] = cell.getAttribute("transform").match(/([\d.]+)[ ,]([\d.]+)/);
    const across = Math.min(Math.max(Number(x) + 20, 48), 372);
    this.bubble.setAttribute("transform", `translate(${across} ${Number(y) - 8})`);
    this.bubble.querySelector("text").textContent = move.dataset.sums;
    this.say(said, move.dataset.sums);
  }

  // By keyboard.

  focused(cell) {
    if (!cell) return;
    for (const other of this.cells.values()) other.setAttribute("tabindex", other === cell ? "0" : "-1");
    if (!this.touched) this.show(cell);
  }

  pressed(event) {
    this.touched = false;
    const cell = event.target.closest(".rf-cell");
    if (!cell || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step) this.go(cell, step);
    else if (event.key === "Home" || event.key === "End") this.go(cell, [event.key === "Home" ? -9 : 9, 0]);
    else if (event.key === "Enter" || event.key === " ") this.clicked(cell);
    else if (event.key === "Escape" && this.chosen) this.choose(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  go(cell, [across, down]) {
    const order = [...this.svg.querySelectorAll(".rf-row:not(.rf-exit-row)")].map((row) => [...row.children]);
    const exit = this.cells.get(AWAY);
    const y = cell === exit ? -1 : order.findIndex((row) => row.includes(cell));
    const x = cell === exit ? 4 : order[y].indexOf(cell);
    const open = exit.classList.contains("go");
    if (y + down < 0 && open) exit.focus();
    else if (y + down >= 0 || y < 0) order[clamp(y + down)][clamp(x + across)].focus();
  }

  // Playing.

  fromList() {
    const { from, to } = this.select.selectedOptions[0]?.dataset ?? {};
    this.choose(from ?? null);
    if (to) this.show(this.cells.get(to));
  }

  play(move) {
    this.select.value = move.value;
    this.form.requestSubmit();
  }

  async sent(event) {
    event.preventDefault();
    if (this.busy) return;
    this.busy = true;
    this.svg.classList.add("sending");
    this.say("sending");
    const headers = { Accept: "application/json" };
    const body = new URLSearchParams(new FormData(this.form));
    try {
      const answer = await fetch(this.form.action, { method: "POST", headers, body });
      if (answer.status >= 500) throw new Error(String(answer.status));
      document.dispatchEvent(new CustomEvent("page:changed"));
    } catch {
      this.svg.classList.remove("sending");
      this.say("failed");
    }
    this.busy = false;
  }

  say(what, about = "") {
    const text = this.status?.dataset[what]?.replace("%", about ?? "") ?? "";
    if (this.status && this.status.textContent !== text) this.status.textContent = text;
  }
}

const isMouse = (event) => event.pointerType === "mouse";
const clamp = (n) => Math.min(9, Math.max(0, n));

document.addEventListener("page:replaced", start);
start();

// Orders by clicking on the map. The form stays the one place where orders are kept: this only fills its fields.

const PRICES = { units: 2, decoys: 1, entrench: 1, scout: 2 };

function start() {
  const form = document.querySelector("form[data-orders]");
  const map = document.querySelector("svg.fh-map[role=group]");
  if (!form || !map || form.classList.contains("joined")) return;
  form.classList.add("joined");
  const board = new Board(form, map);
  board.steppers();
  board.folds();
  board.show();
  board.begin();
}

class Board {
  constructor(form, map) {
    this.form = form;
    this.map = map;
    this.chosen = null;
    this.moving = false;
    const all = form.querySelector(".fh-all");
    all.addEventListener("click", () => {
      all.setAttribute("aria-pressed", String(form.classList.toggle("all")));
      for (const block of form.querySelectorAll("[data-hand]")) delete block.dataset.hand;
      this.unfold();
    });
    form.addEventListener("input", () => this.typed());
    map.addEventListener("click", (event) => this.clicked(event));
    map.addEventListener("keydown", (event) => this.pressed(event));
    for (const spot of map.querySelectorAll("a.spot")) {
      spot.setAttribute("role", "button");
      spot.setAttribute("aria-pressed", "false");
    }
  }

  // What is planned, read from the fields.

  figure(line, what) {
    const input = line?.querySelector(`[data-figure="${what}"]`);
    return input && /^\d+$/.test(input.value.trim()) ? Number(input.value) : 0;
  }

  lines(kind) {
    return [...this.form.querySelectorAll(`[data-line="${kind}"]`)];
  }

  line(kind, at, to = "") {
    return this.lines(kind).find((line) => line.dataset.at === at && line.dataset.to === to);
  }

  ticked(kind) {
    return [...this.form.querySelectorAll(`[data-tick="${kind}"]:checked`)].map((box) => box.value);
  }

  leaving(at, what, except) {
    const others = this.lines("move").filter((line) => line.dataset.at === at && line !== except);
    return others.reduce((sum, line) => sum + this.figure(line, what), 0);
  }

  cost() {
    const placed = this.lines("reinforce").reduce(
      (sum, line) => sum + PRICES.units * this.figure(line, "units") + PRICES.decoys * this.figure(line, "decoys"),
      0,
    );
    return placed + PRICES.entrench * this.ticked("entrench").length + PRICES.scout * this.ticked("scout").length;
  }

  // Showing it.

  show() {
    const points = Number(this.form.querySelector("[data-points]").dataset.points);
    const cost = this.cost();
    this.form.querySelector("#fh-cost").textContent = String(cost);
    const left = this.form.querySelector("#fh-left");
    left.textContent = String(points - cost).replace("-", "\u2212");
    left.parentElement.classList.toggle("short", cost > points);
    for (const arrow of this.map.querySelectorAll(".arrow")) this.showArrow(arrow);
    for (const spot of this.map.querySelectorAll(".spot")) this.showMarks(spot);
    for (const input of this.form.querySelectorAll("[data-figure]")) {
      input.classList.toggle("some", Number(input.value) > 0);
    }
    for (const block of this.form.querySelectorAll("[data-block]")) {
      block.classList.toggle("planned", Boolean(block.querySelector(".some, [data-tick]:checked")));
    }
    this.unfold();
  }

  showArrow(arrow) {
    const line = this.line("move", arrow.dataset.from, arrow.dataset.to);
    if (!line) return;
    const [units, decoys] = [this.figure(line, "units"), this.figure(line, "decoys")];
    arrow.classList.toggle("on", units + decoys > 0);
    arrow.classList.toggle("bluff", units === 0);
    arrow.querySelector("text").textContent = String(units || decoys);
  }

  showMarks(spot) {
    const at = spot.dataset.at;
    const placed = this.line("reinforce", at);
    const mark = (name, on, text) => {
      const element = spot.querySelector(`.${name}`);
      element.classList.toggle("on", Boolean(on));
      if (text) element.querySelector("text").textContent = text;
    };
    const [units, decoys] = [this.figure(placed, "units"), this.figure(placed, "decoys")];
    mark("placed", units, `+${units}`);
    mark("bluff", decoys, `+${decoys}`);
    mark("wall", this.ticked("entrench").includes(at));
    mark("scout", this.ticked("scout").includes(at));
    mark("predict", this.form.querySelector("[data-predict]").value === at);
  }

  // Choosing on the map.

  clicked(event) {
    const spot = event.target.closest("a.spot");
    if (!spot) return;
    event.preventDefault();
    this.openForm();
    const move = this.moving && this.line("move", this.chosen, spot.dataset.at);
    if (move) this.send(move);
    else this.choose(this.chosen === spot.dataset.at ? null : spot.dataset.at);
  }

  // Who has turned to the fields means another position by the next click on the map, not a move to it.
  typed() {
    this.moving = false;
    for (const spot of this.map.querySelectorAll(".target")) spot.classList.remove("target");
    this.show();
  }

  pressed(event) {
    const spot = event.target.closest("a.spot");
    if (event.key === "Escape" && this.chosen) this.choose(null);
    else if (event.key === " " && spot) {
      event.preventDefault();
      spot.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    }
  }

  openForm() {
    const folded = this.form.closest("details:not([open])");
    if (folded) folded.open = true;
  }

  choose(at) {
    this.chosen = at;
    this.moving = Boolean(at);
    for (const spot of this.map.querySelectorAll("a.spot")) {
      const own = spot.dataset.at === at;
      spot.classList.toggle("chosen", own);
      spot.setAttribute("aria-pressed", String(own));
      spot.classList.toggle("target", Boolean(at && this.line("move", at, spot.dataset.at)));
    }
    for (const block of this.form.querySelectorAll(".fh-block.chosen, li.chosen")) block.classList.remove("chosen");
    const block = at && this.place(at);
    this.say(at && (this.lines("move").some((line) => line.dataset.at === at) ? "chosen" : "none"), at);
    if (!block) return this.unfold();
    this.open(block);
    if (wide()) block.scrollIntoView({ block: "nearest" });
  }

  say(what, ...places) {
    const status = this.map.parentElement.querySelector(".fh-status");
    const names = what ? places.map((at) => this.map.querySelector(`[data-at="${at}"]`).dataset.name) : [];
    status.textContent = what ? status.dataset[what].replace(/%/g, () => names.shift()) : "";
  }

  place(at) {
    return document.getElementById(`orders-${at}`) ?? document.getElementById(`scout:${at}`)?.closest("li");
  }

  // All that is left goes; where nothing is left to go, the same two clicks take the move back.
  send(line) {
    const { at, to } = line.dataset;
    const added = this.add(line, "units") || (!this.figure(line, "units") && this.add(line, "decoys"));
    if (!added) for (const input of line.querySelectorAll("[data-figure]")) input.value = "0";
    this.form.dispatchEvent(new Event("input", { bubbles: true }));
    this.choose(null);
    this.say(added ? "moved" : "back", at, to);
    this.open(line.closest(".fh-block"));
    if (wide()) line.scrollIntoView({ block: "nearest" });
  }

  add(line, what) {
    const input = line.querySelector(`[data-figure="${what}"]`);
    const free = input ? Number(input.dataset.most) - this.leaving(line.dataset.at, what) : 0;
    if (free > 0) input.value = String(this.figure(line, what) + free);
    return free > 0;
  }

  // Positions fold: open are the one chosen on the map, those with orders or problems, and what was opened by hand.

  folds() {
    for (const block of this.form.querySelectorAll("[data-block]")) {
      const legend = block.querySelector("legend");
      const button = document.createElement("button");
      button.type = "button";
      button.className = "fh-fold";
      button.append(...legend.childNodes);
      legend.append(button);
      button.addEventListener("click", () => {
        block.dataset.hand = block.classList.contains("open") ? "folded" : "open";
        this.unfold();
      });
    }
  }

  begin() {
    const first = this.form.querySelector("[data-block]");
    if (!first || this.form.querySelector(".fh-block.open")) return;
    first.dataset.hand = "open";
    this.unfold();
  }

  open(block) {
    block.classList.add("chosen");
    delete block.dataset.hand;
    this.unfold();
  }

  unfold() {
    const all = this.form.classList.contains("all");
    for (const block of this.form.querySelectorAll("[data-block]")) {
      const { hand } = block.dataset;
      const called = all || block.matches(".chosen, .planned, :has([data-wrong])");
      const open = hand ? hand === "open" : called;
      block.classList.toggle("open", open);
      block.querySelector(".fh-fold")?.setAttribute("aria-expanded", String(open));
    }
  }

  // Steppers beside every figure.

  steppers() {
    for (const input of this.form.querySelectorAll("[data-figure]")) {
      const frame = document.createElement("span");
      frame.className = "fh-step";
      input.replaceWith(frame);
      frame.append(this.stepper(input, -1), input, this.stepper(input, 1));
    }
  }

  stepper(input, by) {
    const button = document.createElement("button");
    button.type = "button";
    button.tabIndex = -1;
    button.ariaHidden = "true";
    button.textContent = by > 0 ? "+" : "\u2212";
    button.addEventListener("click", () => this.step(input, by));
    if (by > 0) {
      input.addEventListener("keydown", (event) => {
        const change = { ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (!change) return;
        event.preventDefault();
        this.step(input, change);
      });
    }
    return button;
  }

  step(input, by) {
    const line = input.closest("[data-line]");
    const what = input.dataset.figure;
    const now = this.figure(line, what);
    const other = what === "units" ? "decoys" : "units";
    const used = line.dataset.line === "move" ? this.leaving(line.dataset.at, what, line) : this.figure(line, other);
    const most = Math.max(0, Number(input.dataset.most) - used);
    input.value = String(Math.max(0, by > 0 ? Math.min(most, now + by) : now + by));
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

const wide = () => matchMedia("(min-width: 60rem)").matches;

document.addEventListener("page:replaced", start);
start();

// Lets countdowns tick. Screen readers hear them at a few moments only, from a region of their own.

const UNITS = [86400000, 3600000, 60000, 1000];
const SAID_AT = [3600000, 600000, 60000, 10000];
const SOON = 60000;
const SOON_ON_A_CLOCK = 20000;

/** The two largest units of a length of time, as the server writes it; `units` are "0 d|0 h|0 min|0 s". */
export function spell(ms, units) {
  const left = Math.max(0, ms);
  const first = UNITS.findIndex((size) => left >= size);
  if (first < 0) return units[3];
  const counts = [Math.floor(left / UNITS[first]), Math.floor((left % UNITS[first]) / (UNITS[first + 1] ?? 1000))];
  const parts = counts.map((count, i) => (count ? units[first + i].replace("0", String(count)) : ""));
  return parts.join(" ").trim();
}

/** Minutes and seconds, as a chess clock shows them. */
function face(ms) {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export function startCountdowns() {
  const region = document.createElement("div");
  region.className = "hidden";
  region.setAttribute("aria-live", "polite");
  document.body.append(region);
  const begun = new WeakMap();
  const tick = () => {
    const now = performance.now();
    for (const element of document.querySelectorAll(".countdown[data-deadline]")) {
      if (!begun.has(element)) begun.set(element, { at: now, said: Infinity });
      show(element, begun.get(element), now, region);
    }
  };
  tick();
  setInterval(tick, 500);
  document.addEventListener("visibilitychange", tick);
}

function show(element, state, now, region) {
  const { deadline, now: then, units, said } = element.dataset;
  const left = deadline - then - (now - state.at) * Number(document.documentElement.dataset.speed);
  const text = "clock" in element.dataset ? face(left) : spell(left, units.split("|"));
  const shown = element.querySelector(".left");
  if (shown.textContent !== text) shown.textContent = text;
  element.classList.toggle("soon", left <= ("clock" in element.dataset ? SOON_ON_A_CLOCK : SOON));
  const due = SAID_AT.find((moment) => left <= moment && left > moment - 5000 && state.said > moment);
  if (due) {
    state.said = due;
    region.textContent = said.replace("0", spell(due, units.split("|")));
  }
}

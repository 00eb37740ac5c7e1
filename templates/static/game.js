// The pages of a game: what waits for scripts is shown, refused orders get the focus, orders begun are kept as a draft,
// earlier reports and the steps of a replay come without a new page.

import { unfoldAs } from "./refresh.js";

let kept = "";

function begin() {
  for (const element of document.querySelectorAll("[data-scripted], [data-copy]")) element.hidden = false;
  const problems = document.querySelector("#problems");
  problems?.focus();
  kept = problems ? "" : String(draft()?.body ?? "");
}

// Who has sent orders is told so first.
function arrive() {
  if (new URLSearchParams(location.search).has("sent")) document.querySelector("#receipt-title")?.focus();
}

// Orders as "Save draft" would send them.
function draft() {
  const button = document.querySelector("form[data-orders] [formaction$='/draft']");
  return button && { url: button.formAction, body: new URLSearchParams(new FormData(button.form)) };
}

// Whoever leaves the page, or looks away from it, finds their orders and notes again.
function keep() {
  const now = draft();
  if (now && String(now.body) !== kept) {
    kept = String(now.body);
    send(now).catch(() => (kept = ""));
  }
  const notes = document.querySelector("#notes");
  if (notes && notes.value !== notes.defaultValue) {
    notes.defaultValue = notes.value;
    send({ url: notes.form.action, body: new URLSearchParams(new FormData(notes.form)) }).catch(() => {});
  }
}

function send({ url, body }) {
  return fetch(url, { method: "POST", body, redirect: "manual", keepalive: true });
}

document.addEventListener("visibilitychange", () => document.hidden && keep());
for (const leaving of ["beforeunload", "pagehide"]) addEventListener(leaving, keep);
document.addEventListener("submit", (event) => {
  if (event.target.matches("form[data-orders]")) kept = String(draft()?.body ?? "");
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.querySelector(button.dataset.copy);
  field.select();
  await navigator.clipboard?.writeText(field.value);
  button.textContent = button.dataset.done;
});

// A part of another page of the same game takes the place of this page's; what is typed and unfolded stays.
let latest = null;

async function swap(href, part) {
  latest = href;
  const answer = await fetch(href, { headers: { Accept: "text/html", "X-Refresh": "1" }, cache: "no-store" });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [old, fresh] = [document, page].map((one) => one.querySelector(part));
  if (latest !== href) return false;
  if (!answer.ok || !old || !fresh) return location.assign(href);
  const focused = document.activeElement?.id;
  unfoldAs(old, fresh);
  old.replaceWith(document.adoptNode(fresh));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  return true;
}

async function step(link) {
  if (!link.closest(":not(.open-game)[data-replay]")) return location.replace(link.href);
  if (!(await swap(link.href, "main"))) return;
  history.replaceState(null, "", link.href);
  document.dispatchEvent(new CustomEvent("page:replaced"));
}

const plain = (event) => event.button === 0 && !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;

document.addEventListener("click", (event) => {
  const link = event.target.closest(".earlier a, :not(.open-game)[data-replay] nav a");
  if (!link || !plain(event)) return;
  event.preventDefault();
  if (link.matches(".earlier a")) swap(link.href, ".report");
  else if (!link.hasAttribute("aria-disabled")) step(link);
});

document.addEventListener("page:replaced", begin);

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
  const way = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  const link = way && document.querySelector(`[data-replay] a[data-step="${way}"]:not([aria-disabled])`);
  if (link) {
    event.preventDefault();
    step(link);
  }
});

begin();
arrive();

// The pages of a game: what waits for scripts is shown, refused orders get the focus, orders begun are kept as a draft,
// earlier reports and the steps of a replay come without a new page.

let kept = "";

function begin() {
  for (const element of document.querySelectorAll("[data-scripted], [data-copy]")) element.hidden = false;
  const problems = document.querySelector("#problems");
  problems?.focus();
  kept = problems ? "" : String(draft()?.body ?? "");
}

// Orders as "Save draft" would send them.
function draft() {
  const button = document.querySelector("form[data-orders] [formaction$='/draft']");
  return button && { url: button.formAction, body: new URLSearchParams(new FormData(button.form)) };
}

// Whoever leaves the page, or looks away from it, finds their orders again.
function keep() {
  const now = draft();
  if (!now || String(now.body) === kept) return;
  kept = String(now.body);
  fetch(now.url, { method: "POST", body: now.body, redirect: "manual", keepalive: true }).catch(() => (kept = ""));
}

document.addEventListener("visibilitychange", () => document.hidden && keep());
addEventListener("pagehide", keep);
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

document.addEventListener("page:replaced", begin);

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
  const way = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  const link = way && document.querySelector(`[data-replay] a[data-step="${way}"]:not([aria-disabled])`);
  if (link) {
    event.preventDefault();
    location.replace(link.href);
  }
});

begin();

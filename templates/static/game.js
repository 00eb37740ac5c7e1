// The pages of a game: what waits for scripts is shown, refused orders get the focus, arrow keys step through a replay.

function begin() {
  for (const element of document.querySelectorAll("[data-scripted], [data-copy]")) element.hidden = false;
  document.querySelector("#problems")?.focus();
}

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

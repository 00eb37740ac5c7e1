// Changes the theme at once, then tells the server by the same form that works without scripts.

export function startTheme() {
  const form = document.querySelector('form[data-choice="theme"]');
  form?.addEventListener("submit", (event) => {
    const chosen = event.submitter;
    if (!chosen) return;
    event.preventDefault();
    document.documentElement.dataset.theme = chosen.value;
    for (const button of form.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button === chosen));
    }
    const fields = new URLSearchParams(new FormData(form));
    fields.set(chosen.name, chosen.value);
    fetch(form.action, { method: "POST", body: fields, redirect: "manual", keepalive: true });
  });
}

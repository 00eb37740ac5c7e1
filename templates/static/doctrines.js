// The editor: choosing another condition or action brings its own lists. All else is plain forms.

const form = document.querySelector("[data-doctrine]");
form?.querySelector("[data-plain]")?.remove(); // the button for who chooses without scripts

form?.addEventListener("change", (event) => {
  const select = event.target;
  select.closest(".rule")?.querySelector("[data-said]")?.remove(); // it told what the lists said before
  const clause = select.closest("[data-clause]");
  if (!clause || !["is", "do"].includes(select.dataset.key)) return;
  const template = document.querySelector(
    `template[data-part="${clause.dataset.clause}"][data-kind="${CSS.escape(select.value)}"]`,
  );
  if (!template) return;
  const chosen = new Map([...clause.querySelectorAll("select")].map((list) => [list.dataset.key, list.value]));
  const fresh = template.content.cloneNode(true);
  for (const list of fresh.querySelectorAll("select")) {
    const key = list.dataset.key;
    list.id = `${clause.dataset.field}.${key}`;
    list.name = `doctrine.${list.id}`;
    const before = chosen.get(key);
    if ([...list.options].some((option) => option.value === before)) list.value = before;
  }
  clause.replaceChildren(fresh);
  clause.querySelector("select").focus();
});

document.querySelector("#problems")?.focus();

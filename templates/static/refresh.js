// Keeps a page that others can change up to date: `<… data-refresh="/games/x/version" data-every="1500">`.
// It asks for the version with the tag it has (204: nothing new), then fetches the page and replaces what is in main.
// `data-version` is the tag of what is shown, if the page has it.
// A form that has been touched is never replaced unasked.

const HIDDEN_FACTOR = 4;
const SLOWEST = 60000;

export function startRefresh() {
  let dirty = false;
  let tag = null;
  let failures = 0;
  let timer = 0;

  document.addEventListener("input", (event) => (dirty ||= Boolean(event.target.closest("main form"))));
  document.querySelector("#stale button")?.addEventListener("click", () => replace());
  document.addEventListener("visibilitychange", () => !document.hidden && plan(0));
  document.addEventListener("page:changed", () => replace());
  plan();

  function source() {
    return document.querySelector("[data-refresh]");
  }

  // A page may say its version; one that does not is asked for it at once.
  function known(element) {
    return tag ?? element.dataset.version;
  }

  function plan(wait) {
    clearTimeout(timer);
    const element = source();
    if (!element) return;
    const every = Number(element.dataset.every) * (document.hidden ? HIDDEN_FACTOR : 1);
    const usual = known(element) || failures ? Math.min(SLOWEST, every * 2 ** Math.min(failures, 5)) : 0;
    timer = setTimeout(ask, wait ?? usual);
  }

  async function ask() {
    const element = source();
    if (!element) return;
    const headers = { Accept: "application/json" };
    const had = known(element);
    if (had) headers["If-None-Match"] = `"${had}"`;
    try {
      const answer = await fetch(element.dataset.refresh, { headers, cache: "no-store" });
      failures = answer.ok ? 0 : failures + 1;
      if (answer.status === 200) {
        const { version } = await answer.json();
        const changed = had && version !== had;
        tag = version;
        if (changed) await changedPage();
      }
    } catch {
      failures += 1;
    }
    plan();
  }

  async function changedPage() {
    if (dirty) document.querySelector("#stale").hidden = false;
    else await replace();
  }

  async function replace() {
    const answer = await fetch(location.href, { headers: { Accept: "text/html", "X-Refresh": "1" }, cache: "no-store" });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const focused = document.activeElement?.id;
    document.querySelector("main").replaceWith(document.adoptNode(page.querySelector("main")));
    document.title = page.title;
    document.querySelector("#stale").hidden = true;
    dirty = false;
    tag = null;
    plan();
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    document.dispatchEvent(new CustomEvent("page:replaced"));
  }
}

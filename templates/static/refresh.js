// Keeps a page that others can change up to date: `<main data-refresh="/games/x/version" data-every="1500">`.
// It asks for the version with the tag it has (204: nothing new), then fetches the page and shows what is new.
// `data-version` is the tag of what is shown, if the page has it; `data-page` its address, if it may be a form's answer.
//
// `data-form="3/1"` says what the page's form is for and which one it is. While both are the same, only the parts with
// `data-live` are replaced: what is typed, chosen and unfolded stays. Where the first has changed, the old form is void
// and the new page takes its place, but for texts with `data-keep`. Else a form that has been touched is never replaced
// unasked.

const HIDDEN_FACTOR = 4;
const SLOWEST = 60000;

export function startRefresh() {
  let dirty = false;
  let tag = null;
  let failures = 0;
  let timer = 0;

  atPage();
  document.addEventListener("input", (event) => (dirty ||= event.target.matches("main form :not([data-keep])")));
  document.querySelector("#stale button")?.addEventListener("click", async () => show(await fetched()));
  document.addEventListener("visibilitychange", () => !document.hidden && plan(0));
  document.addEventListener("page:changed", async () => show(await fetched()));
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
        if (changed) await renew();
      }
    } catch {
      failures += 1;
    }
    plan();
  }

  async function renew() {
    const page = await fetched();
    if (!page) return;
    const [before, now] = [document, page].map((one) => one.querySelector("main").dataset.form ?? "");
    if (before && before === now) showParts(page);
    else if (!dirty || about(before) !== about(now)) show(page);
    else document.querySelector("#stale").hidden = false;
  }

  async function fetched() {
    const answer = await fetch(address(), { headers: { Accept: "text/html", "X-Refresh": "1" }, cache: "no-store" });
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  }

  function showParts(page) {
    for (const part of document.querySelectorAll("main [data-live]")) {
      const fresh = page.getElementById(part.id);
      if (!fresh) continue;
      const place = [...part.querySelectorAll("a, button")].indexOf(document.activeElement);
      part.replaceWith(document.adoptNode(fresh));
      if (place >= 0) fresh.querySelectorAll("a, button")[place]?.focus({ preventScroll: true });
    }
    document.title = page.title;
  }

  function show(page) {
    if (!page) return;
    // A turn mail's session has ended: header and footer are another reader's now, too.
    if (page.documentElement.lang !== document.documentElement.lang) return location.assign(address());
    const old = document.querySelector("main");
    const fresh = document.adoptNode(page.querySelector("main"));
    const inside = old.contains(document.activeElement);
    const focused = document.activeElement?.id;
    dirty = false;
    keep(old, fresh);
    unfoldAs(old, fresh);
    old.replaceWith(fresh);
    document.title = page.title;
    document.querySelector("#stale").hidden = true;
    tag = null;
    plan();
    document.dispatchEvent(new CustomEvent("page:replaced"));
    const moved = about(old.dataset.form ?? "") !== about(fresh.dataset.form ?? "");
    if (moved) begin();
    const same = focused && document.getElementById(focused);
    const next = same && !moved ? same : inside && document.querySelector("main [data-news]");
    next?.focus?.({ preventScroll: true });
  }
}

/** What is unfolded in the old part of a page is so in its new one. */
export function unfoldAs(old, fresh) {
  for (const { classList } of old.querySelectorAll("details[open][class]")) {
    const same = `details.${[...classList].join(".")}`;
    if (old.querySelectorAll(same).length === 1) fresh.querySelector(same)?.setAttribute("open", "");
  }
}

// What a form is for: the first part of "3/1".
const about = (form) => form.split("/")[0];

// Texts being written go over to the new page.
function keep(old, fresh) {
  for (const field of old.querySelectorAll("[data-keep]")) {
    const same = field.value !== field.defaultValue && fresh.querySelector(`#${field.id}`);
    if (!same) continue;
    same.value = field.value;
    same.setSelectionRange(field.selectionStart, field.selectionEnd);
    same.closest("details")?.setAttribute("open", "");
  }
}

function address() {
  return document.querySelector("main").dataset.page ?? location.href;
}

// The answer to a form goes by its page's address: to reload it sends nothing again.
function atPage() {
  const page = document.querySelector("main")?.dataset.page;
  if (page && page !== location.pathname) history.replaceState(null, "", page);
}

// What is new begins at the top, without what was asked of the page before.
function begin() {
  const page = document.querySelector("main").dataset.page;
  if (page) history.replaceState(null, "", page);
  scrollTo({ top: 0, behavior: "instant" });
}

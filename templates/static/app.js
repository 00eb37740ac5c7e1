// What every page does where scripts run; without them all of it is a form or a link.
import { startCountdowns } from "./countdown.js";
import { startRefresh } from "./refresh.js";
import { startTheme } from "./theme.js";

startTheme();
startCountdowns();
startRefresh();

// A menu closes when something else is looked at.
const menu = document.querySelector(".top .others details");
if (menu) {
  document.addEventListener("click", (event) => { if (!menu.contains(event.target)) menu.open = false; });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && menu.open) { menu.open = false; menu.querySelector("summary").focus(); }
  });
}

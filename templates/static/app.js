// What every page does where scripts run; without them all of it is a form or a link.
import { startCountdowns } from "./countdown.js";
import { startRefresh } from "./refresh.js";
import { startTheme } from "./theme.js";

startTheme();
startCountdowns();
startRefresh();

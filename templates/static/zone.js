// Fills a newcomer's time zone with the one of this device, if the list has it.
const field = document.querySelector("#zone[data-guess]");
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
const known = [...document.querySelectorAll("#zones option")].some((option) => option.value === here);
if (field && known && field.value === field.defaultValue) {
  field.value = here;
}

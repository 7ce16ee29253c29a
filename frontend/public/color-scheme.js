// Runs before the first paint, so that a dark page never flashes white. A file, because inline scripts are forbidden.
(function () {
  var chosen = "auto";
  try {
    chosen = localStorage.getItem("mantine-color-scheme-value") || "auto";
  } catch (error) {
    // Storage is blocked: the system's choice it is.
  }
  var dark = chosen === "dark" || (chosen === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
})();

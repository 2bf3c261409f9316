// Light, dark, or as the system has it; kept for as long as the study runs.

const THEMES = ["auto", "light", "dark"];
const KEPT = "theme";

// Has the button go from one theme to the next.
export function offerThemes(button) {
  const use = (theme) => {
    document.documentElement.dataset.theme = theme;
    button.textContent = `Theme: ${theme}`;
    try {
      localStorage.setItem(KEPT, theme);
    } catch {} // a file's page may have no storage
  };
  button.addEventListener("click", () => {
    const now = THEMES.indexOf(document.documentElement.dataset.theme);
    use(THEMES[(now + 1) % THEMES.length]);
  });
  let kept = null;
  try {
    kept = localStorage.getItem(KEPT);
  } catch {}
  use(THEMES.includes(kept) ? kept : "auto");
}

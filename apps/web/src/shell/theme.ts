const KEY = 'cuebook.theme';

/** `auto`: as the system says. */
export type Theme = 'auto' | 'light' | 'dark';

/** The theme that was chosen in this browser. */
export function readTheme(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'auto';
}

/** Shows a theme, and keeps it for the next time. */
export function applyTheme(theme: Theme): void {
  if (theme === 'auto') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  document.documentElement.dataset.theme = theme;
}

/** The next one of the three. */
export const nextTheme = (theme: Theme): Theme =>
  theme === 'auto' ? 'light' : theme === 'light' ? 'dark' : 'auto';

import { effect, signal } from '@preact/signals';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const storageKey = 'core-theme';
const isTheme = (text: string | null): text is Theme => themes.some((theme) => theme === text);

/** A browser may refuse storage; the choice then lasts as long as the page. */
function stored(): Theme {
  try {
    const text = localStorage.getItem(storageKey);
    return isTheme(text) ? text : 'system';
  } catch {
    return 'system';
  }
}

function store(theme: Theme): void {
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    return;
  }
}

/** Light, dark, or the system's setting. */
export const theme = signal<Theme>(stored());

/** Applies the chosen theme now and after a reload. */
export function startTheme(): void {
  effect(() => {
    if (theme.value === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme.value;
    store(theme.value);
  });
}

import { effect } from '@preact/signals';
import { persisted } from './persisted.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Light, dark, or the system's setting. */
export const theme = persisted<Theme>('core-theme', themes, 'system');

/** Applies the chosen theme now and after a reload. */
export function startTheme(): void {
  effect(() => {
    if (theme.value === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme.value;
  });
}

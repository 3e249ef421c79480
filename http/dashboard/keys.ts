import { signal } from '@preact/signals';
import { go } from './router.ts';
import { addressOf } from './routes.ts';

/** Whether the list of keys is shown. */
export const keysShown = signal(false);

/** Every key, for the list of keys. */
export const keyWords = [
  ['/', 'Search'],
  ['g h', 'Go home'],
  ['g s', 'Go to the services'],
  ['g m', 'Go to the state machines'],
  ['g ,', 'Go to the settings'],
  ['↑ ↓', 'Move in a list'],
  ['Home End', 'First and last row of a list'],
  ['Enter', 'Open the row'],
  ['Esc', 'Empty the search, leave a field, close a dialog'],
  ['?', 'Show these shortcuts'],
] as const;

const fields = 'textarea, select, input:not([type="checkbox"])';
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(fields));

const search = () => document.querySelector<HTMLInputElement>('input[type="search"]');

const secondKeyMs = 1200;

/** Listens for the keys that work on every page. */
export function startKeys(): void {
  let wentAt = -Infinity;
  const pressed: Record<string, () => void> = {
    '/': () => search()?.focus(),
    '?': () => (keysShown.value = true),
  };
  const afterG: Record<string, () => void> = {
    h: () => go(addressOf.home()),
    s: () => go(addressOf.services()),
    m: () => go(addressOf.machines()),
    ',': () => go(addressOf.tokens()),
  };
  addEventListener('keydown', (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
    if (document.querySelector('dialog[open]')) return;
    const action = event.timeStamp - wentAt < secondKeyMs ? afterG[event.key] : pressed[event.key];
    wentAt = event.key === 'g' ? event.timeStamp : -Infinity;
    if (!action) return;
    event.preventDefault();
    action();
  });
}

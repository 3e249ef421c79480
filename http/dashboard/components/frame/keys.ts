import { signal } from '@preact/signals';
import { projects } from '../../kindPages/lists.ts';
import { rowsInMemory } from '../../store/list.ts';
import { isAdmin, reader } from '../../store/session.ts';
import { tabsOf } from './pageTabs.ts';
import { route, visit } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { environmentsOf } from '../../model/project.ts';
import { sectionsFor } from '../../model/sections.ts';

/** Whether the list of keys is shown. */
export const keysShown = signal(false);

/** Whether the palette is shown. */
export const paletteShown = signal(false);

/** A key that works on every page, or two that are pressed one after the other. */
interface Key {
  readonly keys: string;
  readonly label: string;
  readonly run: () => void;
}

const search = () => document.querySelector<HTMLInputElement>('main input[type="search"]')?.focus();
const copyCommand = () => document.querySelector<HTMLButtonElement>('main .command button')?.click();

/** Opens the environment before or after the one on screen. */
function stepEnvironment(by: 1 | -1): void {
  const at = route.peek();
  if (!('environment' in at)) return;
  const here = rowsInMemory(projects).find(({ name }) => name === at.project);
  const environments = here ? environmentsOf(here) : [];
  const next = environments[environments.indexOf(at.environment) + by];
  if (next !== undefined) visit(addressOf.project({ project: at.project, environment: next }));
}

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** The keys that work on every page. */
const keysNow = (): readonly Key[] => [
  { keys: '/', label: 'Filter', run: search },
  ...sectionsFor(isAdmin()).map(({ key, label, to }) => ({ keys: `g ${key}`, label, run: () => visit(to) })),
  { keys: '[', label: 'Previous environment', run: () => stepEnvironment(-1) },
  { keys: ']', label: 'Next environment', run: () => stepEnvironment(1) },
  { keys: 'c', label: 'Copy the command', run: copyCommand },
  { keys: '?', label: 'Keyboard shortcuts', run: () => (keysShown.value = true) },
];

const tabKeys = (): readonly Key[] =>
  digits.map((keys, index) => ({ keys, label: `Tab ${keys}`, run: () => tabsOf(document)[index]?.open() }));

/** Every key with its meaning, for the list of keys. */
export const keyWords = (): readonly (readonly [keys: string, word: string])[] => [
  ['Ctrl K', 'Search everything'],
  ...keysNow().map(({ keys, label }) => [keys, label] as const),
  ['1 – 9', 'Tab of the page'],
  ['↑ ↓', 'Move in a list, and to it from its filter'],
  ['Home End', 'First and last row of a list'],
  ['Enter', 'Open the row'],
  ['Esc', 'Empty the filter, leave a field, close a dialog'],
];

const fields = 'textarea, select, input:not([type="checkbox"], [type="radio"])';
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(fields));
/** Until the session is read, somebody is taken to be signed in. */
const hasPages = () => ['unread', 'signedIn'].includes(reader.peek().is);
const isInDialog = () => document.querySelector('dialog[open]') !== null;

const secondKeyMs = 1200;

/** Listens for the keys that work on every page; a field and a dialog have keys of their own. */
export function startKeys(): void {
  reader.subscribe(() => {
    if (!hasPages()) paletteShown.value = false;
  });
  let wentAt = -Infinity;
  addEventListener('keydown', (event) => {
    if (isInDialog() || !hasPages()) return;
    if (isPalette(event)) {
      event.preventDefault();
      paletteShown.value = true;
      return;
    }
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
    const pressed = event.timeStamp - wentAt < secondKeyMs ? `g ${event.key}` : event.key;
    wentAt = pressed === 'g' ? event.timeStamp : -Infinity;
    const shortcut = [...keysNow(), ...tabKeys()].find(({ keys }) => keys === pressed);
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run();
  });
}

const isPalette = ({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent) =>
  key.toLowerCase() === 'k' && (metaKey || ctrlKey) && !altKey && !shiftKey;

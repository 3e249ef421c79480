import { type Signal, signal } from '@preact/signals';
import { type Console, type ConsoleTarget, openConsole } from './terminal.ts';

/** The terminal of each service in this browser tab: it stays open while other pages are shown. */
const consoles = new Map<string, Signal<Console | null>>();

export function consoleOf(app: string): Signal<Console | null> {
  const kept = consoles.get(app) ?? signal<Console | null>(null);
  consoles.set(app, kept);
  return kept;
}

/** Opens a new session in place of the one before. */
export function connect(target: ConsoleTarget): void {
  const kept = consoleOf(target.app);
  const before = kept.peek();
  before?.end();
  before?.term.dispose();
  kept.value = openConsole(target);
}

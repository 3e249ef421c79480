import { type Signal, signal } from '@preact/signals';
import { type Console, type ConsoleTarget, openConsole } from './terminal.ts';

/** The terminal of each service in this browser tab: it stays open while other pages are shown. */
const consoles = new Map<string, Signal<Console | null>>();

export function consoleOf(app: string): Signal<Console | null> {
  const terminal = consoles.get(app) ?? signal<Console | null>(null);
  consoles.set(app, terminal);
  return terminal;
}

/** Opens a new session in place of the one before. */
export function connect(target: ConsoleTarget): void {
  const terminal = consoleOf(target.app);
  const before = terminal.peek();
  before?.end();
  before?.term.dispose();
  terminal.value = openConsole(target);
}

import { basename } from 'node:path';
import { program } from '../../crds/names.ts';
import { serverCommands } from './serverCommands.ts';

/** The name by which kubectl finds a program that it runs as `kubectl core`. */
const plugin = `kubectl-${program}`;

/** How a user calls the program that runs from a file. */
export const calledAs = (file: string): string =>
  basename(file).replace(/\.exe$/, '') === plugin ? `kubectl ${program}` : program;

/** A text for people in which each call, by one of these words or by a placeholder, is as the user calls the program. */
export function asCalled(text: string, called: string, commands: readonly string[]): string {
  if (called === program) return text;
  const words = [...commands, ...serverCommands].join('|');
  return text.replace(new RegExp(`(?<![\\w/-])${program} (?=(?:${words})(?![\\w-])|[[<])`, 'g'), `${called} `);
}

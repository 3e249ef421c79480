import type { Command as Program, CommanderError } from 'commander';
import { program } from '../../crds/names.ts';
import { nearest } from '../../rules/nearest.ts';
import { CommandFailure, exits } from './exits.ts';
import { serverCommands } from './serverCommands.ts';

export const usage = (message: string) => new CommandFailure(exits.usage, message);

const wayOf = (at: Program): readonly string[] =>
  at.parent === null ? [program, 'help'] : [...wayOf(at.parent), at.name()];
const seeHelp = (group: Program): string => `see '${wayOf(group).join(' ')}'`;

function suggestion(word: string, words: readonly string[]): string | null {
  const near = nearest(word, words);
  return near === null ? null : `did you mean ${near}?`;
}

/** What to do about a word that is none of a group's commands. Their names are proposed before their aliases. */
export function commandSuggestion(word: string, group: Program): string {
  const names = [...group.commands.map((one) => one.name()), ...(group.parent === null ? serverCommands : [])];
  const aliases = group.commands.flatMap((one) => one.aliases());
  return suggestion(word, names) ?? suggestion(word, aliases) ?? seeHelp(group);
}

/** The failure of a group that was given something else than one of its commands. */
export function unknownCommand(word: string, group: Program): CommandFailure {
  if (!word.startsWith('-')) return usage(`unknown command "${word}": ${commandSuggestion(word, group)}`);
  const flags = [...group.options.map(({ long }) => long ?? ''), '--help'];
  return usage(`unknown option '${word}': ${suggestion(word, flags) ?? seeHelp(group)}`);
}

/** What commander refused, in the words of this program. */
export const usageOf = ({ message }: CommanderError): CommandFailure =>
  usage(message.replace(/^error: /, '').replace(/\n\(Did you mean (.*)\?\)$/, ': did you mean $1?'));

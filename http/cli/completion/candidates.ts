import type { Argument, Command, Flag, Group, Leaf, NameSource } from '../command.ts';
import { globalFlags } from '../globals.ts';

/** What may stand at the end of a command line: words, or names that have to be read. */
export type Candidates =
  { readonly is: 'words'; readonly words: readonly string[] } | { readonly is: 'names'; readonly source: NameSource };

const commandsOf = (of: readonly string[]): Candidates => ({ is: 'words', words: of });

const namesOf = ({ flags }: Flag): readonly string[] => flags.match(/--?[a-z][a-z-]*/g) ?? [];
const takesValue = ({ flags }: Flag): boolean => flags.includes('<');

/** Which names complete the value of a global flag. */
const flagNames: Readonly<Record<string, NameSource>> = {
  '--context': 'contexts',
  '-p': 'projects',
  '--project': 'projects',
};

const flagsOf = (of: Command | null): readonly Flag[] => [
  ...(of?.is === 'command' ? (of.flags ?? []) : []),
  ...globalFlags,
];

const find = (commands: readonly Command[], word: string): Command | undefined =>
  commands.find(({ name, aliases = [] }) => name === word || aliases.includes(word));

/** Where the words before the last one lead: a command, and how many arguments it has already. */
interface Place {
  readonly at: Command | null;
  readonly commands: readonly Command[];
  readonly args: number;
  /** The flag whose value comes next. */
  readonly flag: Flag | null;
}

function placeAfter(before: readonly string[], root: readonly Command[]): Place {
  let place: Place = { at: null, commands: root, args: 0, flag: null };
  for (const word of before) {
    if (place.flag !== null) place = { ...place, flag: null };
    else if (word.startsWith('-')) {
      const flag = flagsOf(place.at).find((one) => namesOf(one).includes(word));
      place = { ...place, flag: flag !== undefined && takesValue(flag) ? flag : null };
    } else {
      const next = place.at?.is === 'command' ? undefined : find(place.commands, word);
      if (next === undefined) place = { ...place, args: place.args + 1 };
      else place = { ...place, at: next, commands: next.is === 'group' ? next.commands : [] };
    }
  }
  return place;
}

function argumentAt({ args = [] }: Leaf, index: number): Argument | undefined {
  const last = args.at(-1);
  return args[index] ?? (last?.name.includes('...') ? last : undefined);
}

function ofArgument(argument: Argument | undefined): Candidates {
  if (argument?.choices) return commandsOf(argument.choices);
  return argument?.completes ? { is: 'names', source: argument.completes } : commandsOf([]);
}

function ofFlag(flag: Flag): Candidates {
  if (flag.choices) return commandsOf(flag.choices);
  const source = namesOf(flag)
    .map((name) => flagNames[name])
    .find((one) => one !== undefined);
  return source === undefined ? commandsOf([]) : { is: 'names', source };
}

const namesIn = (commands: Group['commands']): readonly string[] => commands.map(({ name }) => name);

/** The pages of the help, along the words that were typed. */
const ofHelp = (typed: readonly string[], root: readonly Command[]): Candidates => {
  const { commands, at } = placeAfter(typed, root);
  return commandsOf(at?.is === 'command' ? [] : namesIn(commands));
};

/** What may stand where the last word is being typed. */
export function candidatesFor(typed: readonly string[], root: readonly Command[]): Candidates {
  const before = typed.slice(0, -1);
  const last = typed.at(-1) ?? '';
  if (before[0] === 'help') return ofHelp(before.slice(1), root);
  const { at, commands, args, flag } = placeAfter(before, root);
  if (flag !== null) return ofFlag(flag);
  if (last.startsWith('-'))
    return commandsOf(
      flagsOf(at)
        .flatMap(namesOf)
        .filter((name) => name.startsWith('--')),
    );
  if (at?.is === 'command') return ofArgument(argumentAt(at, args));
  return commandsOf(args > 0 ? [] : [...namesIn(commands), ...(at === null ? ['help'] : [])]);
}

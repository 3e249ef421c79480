import { Command as Program, CommanderError, InvalidArgumentError, Option } from 'commander';
import { program as programName } from '../../crds/names.ts';
import { version } from '../version.ts';
import { asCalled } from './calledAs.ts';
import type { Command, Flag, Leaf } from './command.ts';
import { makeContext } from './context.ts';
import type { Globals } from './config/resolve.ts';
import { CommandFailure, type Exit, exits } from './exits.ts';
import { globalFlags, globalNames } from './globals.ts';
import { complete, completeWord } from './completion/complete.ts';
import { footerOf, rootFooter, topics } from './help.ts';
import { commandSuggestion, usage, usageOf, unknownCommand } from './suggestion.ts';
import { explained } from './refusal.ts';
import { helpCommand } from './commands/help.ts';
import type { Io } from './io.ts';
import { plainLines } from './text/plain.ts';
import { commands } from './tree.ts';
import { errorMessage } from '../../rules/errorMessage.ts';

function optionOf({ flags, about, choices, otherwise, conflicts, check, repeats }: Flag): Option {
  const option = new Option(flags, about);
  if (choices) option.choices(choices);
  if (otherwise !== undefined) option.default(otherwise);
  if (conflicts !== undefined) option.conflicts(conflicts);
  if (check)
    option.argParser((text: string) => {
      try {
        check(text);
      } catch (error) {
        throw new InvalidArgumentError(errorMessage(error));
      }
      return text;
    });
  if (repeats) option.argParser((text: string, before: readonly string[] | undefined) => [...(before ?? []), text]);
  return option;
}

const globalOptions = globalFlags.map(optionOf);

/** Flags stand on every command: kept on the root alone they would swallow the values of other flags. */
function withGlobals(to: Program): Program {
  for (const option of globalOptions) to.addOption(option);
  return to.enablePositionalOptions().helpCommand(false).helpOption('-h, --help', 'print this help');
}

/** The global flags on the path from the root to a command; the last one wins. */
function globalsOf(leaf: Program): Globals {
  const way: Program[] = [];
  for (let at: Program | null = leaf; at !== null; at = at.parent) way.unshift(at);
  const given = way.flatMap((at) =>
    globalNames
      .filter((name) => at.getOptionValueSource(name) === 'cli')
      .map((name) => [name, at.getOptionValue(name) as string | boolean] as const),
  );
  return Object.fromEntries(given);
}

/** Takes what a run of a command ends with. */
type End = (exit: Exit) => void;

/** What a command takes is added when it is chosen or listed: a run needs one of them, and starts sooner without the rest. */
const unfilled = new WeakMap<Program, () => void>();
function filled(of: Program): Program {
  const fill = unfilled.get(of);
  unfilled.delete(of);
  fill?.();
  return of;
}

function fillLeaf(added: Program, leaf: Leaf, io: Io, end: End): void {
  withGlobals(added).allowExcessArguments(false);
  for (const { name, about, choices } of leaf.args ?? []) {
    const argument = added.createArgument(name.startsWith('[') ? name : `<${name}>`, about);
    added.addArgument(choices ? argument.choices(choices) : argument);
  }
  for (const flag of leaf.flags ?? []) added.addOption(optionOf(flag));
  added.addHelpText('after', footerOf(leaf));
  added.action(async () => {
    const globals = globalsOf(added);
    const context = makeContext(io, globals, { args: added.args, flags: added.opts() });
    try {
      end((await leaf.run(context)) ?? exits.success);
    } catch (error) {
      const isGiven = (name: string) => added.getOptionValueSource(name) === 'cli' || Object.hasOwn(globals, name);
      throw explained(error, context, { leaf, isGiven });
    } finally {
      context.close();
    }
  });
}

function fillGroup(added: Program, commands: readonly Command[], io: Io, end: End): void {
  withGlobals(added);
  for (const one of commands) add(added, one, io, end);
  helpWhenBare(added);
}

function add(to: Program, command: Command, io: Io, end: End): void {
  const added = to.command(command.name).description(command.about);
  if (command.aliases) added.aliases(command.aliases);
  unfilled.set(added, () =>
    command.is === 'command' ? fillLeaf(added, command, io, end) : fillGroup(added, command.commands, io, end),
  );
}

/** A group alone prints its help; with a word that is none of its commands it is wrong usage. */
function helpWhenBare(group: Program): void {
  group.hook('preSubcommand', (_, chosen) => void filled(chosen));
  group.addHelpText('before', () => {
    group.commands.forEach(filled);
    return '';
  });
  // An unknown command is reported before a flag that it does not take.
  group.allowUnknownOption(true);
  group.allowExcessArguments(true).action(() => {
    const [first] = group.args;
    if (first === undefined) return group.outputHelp();
    throw unknownCommand(first, group);
  });
}

/** The page of a command, by the words that lead to it. */
function pageOf(root: Program, words: readonly string[]): string {
  const [topic = ''] = words;
  if (words.length === 1 && Object.hasOwn(topics, topic)) return `${topics[topic]?.() ?? ''}\n`;
  let at = root;
  for (const word of words) {
    const found = at.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (found === undefined) {
      throw usage(`there is no help about "${words.join(' ')}": ${commandSuggestion(word, at)}`);
    }
    at = filled(found);
  }
  let page = '';
  at.configureOutput({ writeOut: (text) => void (page += text) });
  at.outputHelp();
  return page;
}

/** A text for people, with the program as the user calls it. */
type ToMessage = (text: string) => string;

/** First words of a command. */
const firstWords = [...commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]), 'help'];

/** The whole program, for one run of it. */
function programOf(io: Io, messageOf: ToMessage, end: End): Program {
  const root = withGlobals(new Program(programName))
    .description('Core from a terminal: everything that the dashboard does, for people and scripts.')
    .option('-v, --version', 'print the version');
  const written: Promise<void>[] = [];
  root.exitOverride().configureOutput({
    writeOut: (text) => void written.push(io.out.write(messageOf(text))),
    // Its errors are printed by `failureOf`.
    writeErr: () => {},
    getOutHelpWidth: () => 100,
    getErrHelpWidth: () => 100,
  });
  const help = helpCommand((words) => messageOf(pageOf(root, words)));
  for (const command of [...commands, help]) add(root, command, io, end);
  root.addHelpText('after', rootFooter());
  helpWhenBare(root);
  root.on('option:version', () => {
    void io.out.write(`${programName} version ${version}\n`);
    throw new CommanderError(0, 'commander.version', '');
  });
  return root;
}

function failureOf(error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  if (error instanceof CommanderError) return usageOf(error);
  throw error;
}

/** Runs one command; resolves with its exit code. `called` is how the user calls the program. */
export async function run(argv: readonly string[], io: Io, called: string = programName): Promise<Exit> {
  const messageOf: ToMessage = (text) => asCalled(text, called, firstWords);
  const [first, ...words] = argv;
  if (first === completeWord) return complete(words, io);
  let exit: Exit = exits.success;
  try {
    await programOf(io, messageOf, (ended) => (exit = ended)).parseAsync([...argv], { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exits.success;
    const failure = failureOf(error);
    await io.err.write(`Error: ${messageOf(plainLines(failure.message))}\n`);
    for (const hint of failure.hints) await io.err.write(`${messageOf(plainLines(hint))}\n`);
    return failure.exit;
  }
}

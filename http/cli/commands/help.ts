import { command, type Leaf } from '../command.ts';

/** Prints pages of the help. */
export const helpCommand = (pageOf: (words: readonly string[]) => string): Leaf =>
  command({
    name: 'help',
    about: 'Explain a command, the environment or the exit codes.',
    args: [{ name: '[COMMAND...]', about: 'a command, environment or exit-codes', completes: 'commands' }],
    examples: ['core help deploy', 'core help env set', 'core help exit-codes'],
    run: (run) => run.print(pageOf(run.args)),
  });

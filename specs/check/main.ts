import { parseArgs } from 'node:util';

const usage = `npm run specs                     hold every machine to its table, with mutation
npm run specs -- --only build     one lifecycle, or several with commas between
npm run specs -- --no-mutation    without mutation
npm run specs -- joint            the machines of one object together
npm run specs -- --watch          again after each change
npm run specs -- --seed 42        the same random parts as the run that printed this seed
npm run specs -- try build --facts f.json [--state Pending]    the decision, rule by rule
npm run -s specs -- try build --sample                         a file of facts to begin with
npm run specs -- why BLD-157      row, arrow, rule, test and line of the document
npm run specs -- diff main        what changed in the tables since a revision, in words
npm run specs -- audit <journal folder or file | --url http://127.0.0.1:8085>   recorded moves against the tables
npm run specs -- coverage [--area DEV] [--all]                 requirements and the tests that name them
npm run specs -- replay <file>    a kept counterexample, lived again`;

const print = (line: string) => void process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const [command, ...rest] = process.argv.slice(2);
  if (command !== undefined && !command.startsWith('-')) {
    // Only what is needed is loaded: checking one lifecycle alone should take less than two seconds.
    const { commands } = await import('./commands.ts');
    const found = commands[command];
    if (!found) {
      print(`no command is called "${command}"\n\n${usage}`);
      return 2;
    }
    const { lines, exit } = await found(rest);
    for (const line of lines) print(line);
    return exit;
  }
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      only: { type: 'string' },
      mutation: { type: 'boolean', default: true },
      seed: { type: 'string' },
      watch: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    print(usage);
    return 0;
  }
  if (values.seed !== undefined && !/^\d{1,9}$/.test(values.seed)) {
    print(`--seed ${values.seed} is no whole number`);
    return 2;
  }
  const only = values.only?.split(',').filter((name) => name !== '');
  if (only?.length === 0) {
    print('--only names no lifecycle');
    return 2;
  }
  const { isLifecycle, UnknownLifecycle } = await import('./lifecycles.ts');
  const unknown = only?.find((name) => !isLifecycle(name));
  if (unknown !== undefined) throw new UnknownLifecycle(unknown);
  const { runAll } = await import('./runAll.ts');
  const exit = await runAll({
    only,
    mutation: values.mutation,
    seed: values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed),
    print,
  });
  if (values.watch) {
    const { watchFor } = await import('./watch.ts');
    watchFor(only, print);
  }
  return exit;
}

/** Errors that explain a wrong command line in one line. */
const refusals = ['TableError', 'SheetError', 'Unreadable', 'UnknownLifecycle', 'NoRecording'];
const isRefusal = (error: unknown): error is Error =>
  error instanceof Error &&
  (refusals.includes(error.name) || ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')));

// A reader such as `head` may close the pipe. Until a run has ended nothing is proven.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(process.exitCode);
});

try {
  process.exitCode = 1;
  process.exitCode = await main();
} catch (error) {
  if (!isRefusal(error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

import { parseArgs } from 'node:util';
import { NoRecording } from '../audit/sources.ts';
import { TableError } from '../tables/parse.ts';
import { commands } from './commands.ts';
import { UnknownLifecycle } from './lifecycles.ts';
import { runAll } from './runAll.ts';
import { watchFor } from './watch.ts';

const usage = `npm run specs                     hold every machine to its table, with mutation
npm run specs -- --only build     one lifecycle, or several with commas between
npm run specs -- --no-mutation    without mutation
npm run specs -- --watch          again after each change
npm run specs -- --seed 42        the same random parts as the run that printed this seed
npm run specs -- try build --facts f.json [--state Pending]    the decision, rule by rule
npm run specs -- try build --sample                            a file of facts to begin with
npm run specs -- why BLD-157      row, arrow, rule, test and line of the document
npm run specs -- diff main        what changed in the tables since a revision, in words
npm run specs -- audit <journal folder or file | --url http://127.0.0.1:8085>   recorded moves against the tables
npm run specs -- coverage [--area DEV] [--all]                 requirements and the tests that name them
npm run specs -- replay <file>    a kept counterexample, lived again`;

const print = (line: string) => void process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const [command, ...rest] = process.argv.slice(2);
  const found = command === undefined ? undefined : commands[command];
  if (found) {
    const { lines, exit } = await found(rest);
    for (const line of lines) print(line);
    return exit;
  }
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    allowNegative: true,
    options: {
      only: { type: 'string' },
      mutation: { type: 'boolean', default: true },
      seed: { type: 'string' },
      watch: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help || positionals.length > 0) {
    print(usage);
    return values.help ? 0 : 2;
  }
  if (values.seed !== undefined && !/^\d{1,9}$/.test(values.seed)) {
    print(`--seed ${values.seed} is no whole number`);
    return 2;
  }
  const only = values.only?.split(',').filter((name) => name !== '');
  const clean = await runAll({
    only,
    mutation: values.mutation,
    seed: values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed),
    print,
  });
  if (values.watch) watchFor(only, print);
  return clean ? 0 : 1;
}

const isRefusal = (error: unknown): error is Error =>
  error instanceof TableError ||
  error instanceof UnknownLifecycle ||
  error instanceof NoRecording ||
  (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));

try {
  process.exitCode = await main();
} catch (error) {
  if (!isRefusal(error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

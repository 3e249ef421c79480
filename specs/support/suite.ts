import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { suite as plainSuite, type Callback, type Test } from 'uvu';

/** How a test came out; one that only began never came to its end. */
export type Came = 'began' | 'passed' | 'failed' | 'skipped';

/** One line of what a run leaves behind; of the lines about one test the last one tells. */
export interface Ran {
  readonly file: string;
  readonly suite: string;
  readonly title: string;
  readonly came: Came;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Written at once and whole, so that a process that dies leaves all that came before. */
function record(suite: string, title: string, came: Came): void {
  const results = process.env['CORE_SPEC_RESULTS'];
  if (results === undefined || results === '') return;
  const line: Ran = { file: relative(root, process.argv[1] ?? ''), suite, title, came };
  appendFileSync(results, `${JSON.stringify(line)}\n`);
}

/** uvu ends a suite whose hook fails without a word of why. */
const outspoken =
  <T>(hook: Callback<T>): Callback<T> =>
  async (given) => {
    try {
      await hook(given);
    } catch (error) {
      process.stdout.write(`a hook failed: ${inspect(error)}\n`);
      throw error;
    }
  };

/** A suite of uvu whose tests leave a line in the file that CORE_SPEC_RESULTS names, each when it began and ended. */
export function suite<T = { [name: string]: unknown }>(name = '', context?: T): Test<T> {
  const plain = plainSuite<T>(name, context);
  let reachedEnd = false;
  const watched =
    (test: Callback<T>): Callback<T> =>
    async (given) => {
      await test(given);
      reachedEnd = true;
    };
  // First of the hooks, and (see `run`) last of them: a test whose hooks fail has not passed.
  plain.before.each(({ __test__: title }) => {
    reachedEnd = false;
    record(name, title, 'began');
  });
  return Object.assign((title: string, test: Callback<T>) => plain(title, watched(test)), {
    before: Object.assign((hook: Callback<T>) => plain.before(outspoken(hook)), {
      each: (hook: Callback<T>) => plain.before.each(hook),
    }),
    after: Object.assign((hook: Callback<T>) => plain.after(outspoken(hook)), {
      each: (hook: Callback<T>) => plain.after.each(hook),
    }),
    only: (title: string, test: Callback<T>) => plain.only(title, watched(test)),
    skip: (title?: string, test?: Callback<T>) => {
      record(name, title ?? '', 'skipped');
      plain.skip(title, test);
    },
    run: () => {
      plain.after.each(({ __test__: title }) => record(name, title, reachedEnd ? 'passed' : 'failed'));
      plain.run();
    },
  });
}

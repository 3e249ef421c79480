import * as fc from 'fast-check';
import { exitMessages } from '../../http/cli/exits.ts';
import { globalFlags } from '../../http/cli/globals.ts';
import { pages } from '../../http/cli/reference/pages.ts';
import { cases, statusOf, summary } from '../http/cli/cases.ts';
import { type Answer, scriptedServer } from '../http/cli/scripted.ts';
import { terminal } from '../http/cli/terminal.ts';

const odd = [
  '',
  '-',
  '--',
  '-1',
  '2.5',
  '1e9h',
  '30s',
  '2d',
  '=v',
  'K=',
  'K=a=b',
  '__proto__=x',
  '-p x',
  '../..',
  'ü',
  '\u001b[2J',
  '@/dev/null',
  'web',
  'x'.repeat(300),
];
const flagNames = [...globalFlags, ...pages.flatMap(({ leaf }) => leaf.flags ?? [])].flatMap(
  ({ flags }) => flags.match(/--?[a-z][a-z-]*/g) ?? [],
);
// What waits for a person, or for a server that never ends, is tried elsewhere.
const ways = pages.map(({ way }) => way.slice(1)).filter(([first]) => first !== 'login' && first !== 'mcp');

const word = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...odd) },
  { weight: 2, arbitrary: fc.constantFrom(...flagNames.filter((name) => name !== '--follow' && name !== '-f')) },
  fc.string({ maxLength: 8 }),
);
const anything = fc
  .tuple(fc.constantFrom(...ways), fc.array(word, { maxLength: 6 }), fc.array(word, { maxLength: 2 }))
  .map(([way, after, before]) => [...before.filter((one) => one !== '-f'), ...way, ...after]);
/** A command line that works, with at most one word changed. */
const nearly = fc
  .tuple(fc.constantFrom(...cases), fc.option(word), fc.nat(6))
  .map(([{ line: works }, changed, at]) => (changed === null ? works : works.with(at % works.length, changed)));
const line = fc.oneof(anything, { weight: 3, arbitrary: nearly });

const shapes: readonly unknown[] = [
  { items: [] },
  { items: [summary('web')] },
  statusOf('web'),
  { name: 'web', deployed: true, pending: true, replicas: 1 },
  {},
  null,
  [1],
];
const answers: readonly Answer[] = [
  ...shapes.map((json) => ({ json })),
  ...[400, 401, 403, 404, 409, 429, 500, 503].map((status) => ({ status, json: { error: 'because' } })),
  (response) => void response.destroy(),
  (response) => void response.end('<html>'),
];

/** One command line that ended as none should. */
interface CommandFinding {
  readonly line: readonly string[];
  readonly why: string;
}

const hangsAfterMs = 20_000;
const known = new Set(Object.keys(exitMessages));

const hung = (): Promise<'hung'> => new Promise((tell) => void setTimeout(() => tell('hung'), hangsAfterMs).unref());

/** Runs command lines of the tree against a server that answers anything. */
export async function fuzzCommands(runs: number, seed: number) {
  const server = await scriptedServer();
  const shell = terminal({ env: { CORE_URL: server.url, CORE_TOKEN: 'secret-token' } });
  const counts: Record<string, number> = {};
  const findings: CommandFinding[] = [];
  const samples = fc.sample(fc.tuple(line, fc.array(fc.constantFrom(...answers), { minLength: 1, maxLength: 4 })), {
    numRuns: runs,
    seed,
  });
  for (const [args, told] of samples) {
    server.forget();
    server.otherwise(...told);
    shell.time.ms = 0;
    const find = (why: string) => void findings.push({ line: args, why });
    try {
      const ended = await Promise.race([shell.core(args), hung()]);
      if (ended === 'hung') find('it hangs');
      else {
        counts[ended.exit] = (counts[ended.exit] ?? 0) + 1;
        if (!known.has(String(ended.exit))) find(`it ends with ${ended.exit}`);
        if (ended.err.includes('secret-token') || ended.out.includes('secret-token')) find('it tells the token');
        if (ended.exit !== 0 && ended.exit !== 130 && !ended.err.includes('Error: ')) find('it says nothing');
      }
    } catch (error) {
      find(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
  }
  shell.clean();
  await server.stop();
  return { counts, findings };
}

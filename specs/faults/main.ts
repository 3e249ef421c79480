import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { bugs } from './commands/bugs.ts';
import { onePlan } from './commands/onePlan.ts';
import { product } from './commands/product.ts';
import { Misused, say } from './commands/say.ts';
import { specs } from './commands/specs.ts';

const help = `npm run faults -- [options]

  --lifecycle NAME   only this one, or those with a machine of this name; several times: only these
  --pattern NAME     only this pattern
  --one-of N         of N plans one
  --digest FILE      writes a line for each plan: its writes, its passes, a hash of its timeline
  --mixed N          plans of several troubles for each path (10)
  --plan TEXT        one plan, told step by step, as a violation says it
  --bugs             hunts the planted bugs instead; --only TEXT those with this in their name or family
  --specs            sequences of valid and invalid specs instead; --lifecycle is a kind, --runs N for each (200)
  --seed N           another draw of what is drawn (1)
  --jobs N           processes at a time (as many as there are cores)`;

const options = {
  lifecycle: { type: 'string', multiple: true },
  pattern: { type: 'string' },
  digest: { type: 'string' },
  plan: { type: 'string' },
  bugs: { type: 'boolean', default: false },
  specs: { type: 'boolean', default: false },
  only: { type: 'string' },
  seed: { type: 'string', default: '1' },
  runs: { type: 'string', default: '200' },
  mixed: { type: 'string', default: '10' },
  'one-of': { type: 'string', default: '1' },
  jobs: { type: 'string', default: String(availableParallelism()) },
  help: { type: 'boolean', default: false },
} as const;

function read() {
  try {
    return parseArgs({ options }).values;
  } catch (thrown) {
    throw new Misused(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

type Values = ReturnType<typeof read>;

const wholeOf =
  (values: Values) =>
  (name: 'seed' | 'runs' | 'mixed' | 'one-of' | 'jobs', least: number): number => {
    const value = Number(values[name]);
    if (!Number.isSafeInteger(value) || value < least)
      throw new Misused(`--${name} wants a whole number from ${least}, not "${values[name]}"`);
    return value;
  };

async function command(): Promise<boolean> {
  const values = read();
  const whole = wholeOf(values);
  const { plan, lifecycle, pattern = null, digest, only } = values;
  if (values.help) return (say(help), true);
  if (plan !== undefined) return onePlan(plan);
  const jobs = whole('jobs', 1);
  const seed = whole('seed', 0);
  if (values.bugs) return bugs({ only, jobs });
  if (values.specs) return specs({ only: lifecycle, seed, runs: whole('runs', 1) });
  return product({
    lifecycles: lifecycle,
    pattern,
    digest,
    seed,
    jobs,
    mixed: whole('mixed', 0),
    oneOf: whole('one-of', 1),
  });
}

try {
  process.exitCode = (await command()) ? 0 : 1;
} catch (thrown) {
  if (!(thrown instanceof Misused)) throw thrown;
  process.stderr.write(`${thrown.message}\n\n${help}\n`);
  process.exitCode = 2;
}

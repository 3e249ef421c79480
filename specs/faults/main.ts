import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { readPlan, sayPlan } from './plan/plan.ts';
import { patternNames } from './plan/product.ts';
import { sayTrouble } from './plan/trouble.ts';
import { tableOf, violationText } from './report.ts';
import { subjects } from './subjects/all.ts';
import type { Row, Violation } from './trials.ts';
import { verify } from './verify.ts';
import { type Asked, tryAll } from './workers.ts';
import { timelineOf } from './world/log.ts';

const help = `npm run faults -- [options]

  --lifecycle NAME   only this one (several times: only these)
  --pattern NAME     only this pattern: ${patternNames.join(', ')}
  --plan TEXT        one plan, with its timeline; as a violation says it
  --seed N           another draw of what is drawn (default 1)
  --mixed N          plans of several troubles for each path (default 10)
  --one-of N         of N plans one
  --jobs N           processes at a time`;

const { values } = parseArgs({
  options: {
    lifecycle: { type: 'string', multiple: true },
    pattern: { type: 'string' },
    plan: { type: 'string' },
    seed: { type: 'string', default: '1' },
    mixed: { type: 'string', default: '10' },
    'one-of': { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    help: { type: 'boolean', default: false },
  },
});

const say = (...lines: readonly string[]) => void process.stdout.write(`${lines.join('\n')}\n`);

/** An argument that means nothing ends everything, before anything is run. */
function refuse(why: string): never {
  process.stderr.write(`${why}\n\n${help}\n`);
  process.exit(2);
}

const whole = (name: string, text: string, least: number): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least)
    refuse(`--${name} wants a whole number from ${least}, not "${text}"`);
  return value;
};

async function onePlan(text: string): Promise<number> {
  const plan = readPlan(text, subjects);
  if (typeof plan === 'string') refuse(plan);
  const { ran, wrong, untouched } = await verify(plan);
  say(sayPlan(plan), ...timelineOf(ran.log), '');
  say(...untouched.map((trouble) => `  touched nothing: ${sayTrouble(trouble)}`));
  say(...(wrong.length === 0 ? ['  holds'] : wrong.map((one) => `  wrong: ${one}`)));
  return wrong.length === 0 ? 0 : 1;
}

async function wholeProduct(): Promise<number> {
  const { lifecycle: only, pattern = null } = values;
  const unknown = only?.find((name) => !subjects.some((subject) => subject.name === name));
  if (unknown !== undefined)
    refuse(`no lifecycle is called "${unknown}": ${subjects.map(({ name }) => name).join(', ')}`);
  if (pattern !== null && !patternNames.includes(pattern)) refuse(`no pattern is called "${pattern}"`);
  const extent = {
    seed: whole('seed', values.seed, 0),
    mixed: whole('mixed', values.mixed, 0),
    oneOf: whole('one-of', values['one-of'], 1),
    pattern,
  };
  const asked: readonly Asked[] = subjects
    .filter(({ name }) => only === undefined || only.includes(name))
    .flatMap(({ name, paths }) => paths.map((path) => ({ ...extent, lifecycle: name, path: path.name })));
  const rows: Row[] = [];
  const violations: Violation[] = [];
  const from = performance.now();
  await tryAll(asked, whole('jobs', values.jobs, 1), (_, tried) => {
    rows.push(...tried.rows);
    violations.push(...tried.violations);
    for (const violation of tried.violations) say(...violationText(violation));
  });
  const plans = rows.reduce((sum, row) => sum + row.plans, 0);
  const wrong = rows.reduce((sum, row) => sum + row.violations, 0);
  say('', ...tableOf(rows), '');
  say(
    `${plans} plans over ${asked.length} paths of ${new Set(asked.map(({ lifecycle }) => lifecycle)).size} lifecycles, ` +
      `${wrong} violations, ${((performance.now() - from) / 1_000).toFixed(0)} s (seed ${extent.seed})`,
  );
  if (plans === 0) say('nothing was tried');
  return wrong === 0 && plans > 0 ? 0 : 1;
}

if (values.help) say(help);
else process.exitCode = await (values.plan === undefined ? wholeProduct() : onePlan(values.plan));

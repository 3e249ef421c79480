import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as assert from 'uvu/assert';
import { createMachine } from 'xstate';
import { lifecycle } from '../lifecycles/sleepSetting.ts';
import { suite } from '../support/suite.ts';
import { check, tableOf } from './check.ts';
import { factsText } from './factsText.ts';
import { lifeText } from './life.ts';
import type { Outcome } from './outcome.ts';
import { placesOf } from './places.ts';
import { outcomeText, summaryText, unreadText } from './report.ts';
import { runOf } from './run.ts';
import { sampleFacts, tryFacts } from './try.ts';
import { whyUnloadable } from './unreadable.ts';
import { widestOf } from './widest.ts';

const spec = suite('messages of the checker');
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'core-messages-'));
const fileOf = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
spec.after(() => rmSync(folder, { recursive: true }));

const { outcome } = check(lifecycle, { seed: 7, mutation: false, proof: false });
const weak: Outcome = {
  ...outcome,
  mutants: [
    { text: 'rule a negated', at: 'rules/x.ts:3', caughtBy: 'rules' },
    { text: 'rule b negated', at: 'rules/x.ts:9', caughtBy: null },
  ],
};

spec('a lifecycle with surviving mutants is weak, and the summary counts them', () => {
  assert.match(outcomeText(weak), /^WEAK {3}sleepSetting .* 1 of 2 mutants caught/);
  assert.match(outcomeText(weak), /\n {2}survivor {2}rules\/x\.ts:9\n {4}rule b negated$/);
  assert.match(summaryText([weak], { others: 0, seed: 7, ms: 0 }), /^1 of 2 mutants caught, 1 survivor$/m);
  assert.match(outcomeText(outcome), /^ok {5}sleepSetting/);
});

spec('faults outside the lifecycles count, and the seed is printed even if nothing could be checked', () =>
  assert.match(summaryText([], { others: 2, seed: 7, ms: 0 }), /^2 disagreements, seed 7, 0\.0 s$/m),
);

spec('faults with the same line of a file are reported together', () => {
  const fault = { check: 'order', at: ['a.md:3', 'b.ts:1', 'a.md:9', 'a.md:3'], text: 'x' } as const;
  assert.match(outcomeText({ ...outcome, faults: [fault] }), /^ {2}order {2}a\.md:3,9 {2}b\.ts:1\n {4}x$/m);
});

spec('an incomplete search names the field with the most different values', () => {
  const worlds = [1, 2, 3].map((now) => ({ state: 'A', now, open: now % 2 }));
  assert.equal(widestOf(worlds), { field: 'now', values: 3 });
  const searched = { worlds: 3, steps: 3, exhaustive: false, invariants: {}, widest: widestOf(worlds) };
  assert.match(
    outcomeText({ ...outcome, searched }),
    /\(cut off\)[^\n]*\n {2}cut off {2}now takes 3 different values: /,
  );
});

spec('relevant facts are listed first, and only the names of the others', () => {
  const facts = { now: 5, idle: true, holder: { is: 'known', value: 'dead' } };
  const read = (each: unknown) => (each as typeof facts).holder.value === 'dead';
  assert.is(factsText(facts, [read]), '    holder: "dead"\n    … now, idle');
  assert.is(factsText(facts, []).split('\n').length, 3);
});

spec('a life lists its changing fields first, and an undisturbed one ends with its possible next events', () => {
  const run = runOf({ subject: lifecycle, table: tableOf('sleepSetting'), places: placesOf(lifecycle.files), seed: 7 });
  const [start] = lifecycle.model.start;
  const world = { ...(start as object), first: 1, second: 2 };
  const one = { ...run, subject: { ...lifecycle, model: { ...lifecycle.model, start: [world], moves: [] } } };
  const life = [
    { label: '', world },
    { label: 'time, left alone', world: { ...world, second: 3 } },
  ];
  const [, first = '', second = '', end] = lifeText({ ...one, rulesByState: new Map() }, life).split('\n');
  assert.match(first, /at first +\S+ +second=2$/);
  assert.match(second, /second=3$/);
  assert.is(end, '    nothing more can happen here');
  assert.match(lifeText(one, life.slice(0, 1)), /first=1 second=2$/);
});

spec('a difference between machine and table is reported once, not in every life', () => {
  const { id, initial, states } = lifecycle.machine.config as unknown as {
    readonly id: string;
    readonly initial: string;
    readonly states: Readonly<Record<string, { readonly on?: object }>>;
  };
  const [row] = tableOf('sleepSetting').rows;
  const [from = ''] = row?.from ?? [];
  const elsewhere = Object.keys(states).find((state) => state !== row?.to && state !== from);
  const changed = { ...states[from], on: { ...states[from]?.on, [row?.event ?? '']: { target: elsewhere } } };
  const machine = createMachine({ id, initial, states: { ...states, [from]: changed } } as never);
  const { outcome: told } = check({ ...lifecycle, machine }, { seed: 7, mutation: false, proof: false });
  const checks = told.faults.map(({ check: name }) => name);
  assert.ok(checks.includes('conformance'));
  assert.not(checks.includes('walks'), outcomeText(told));
});

spec('an entry missing in the model is reported with the line where it belongs', () => {
  const { model } = lifecycle;
  const [name = ''] = Object.keys(model.invariants);
  const { [name]: _, ...invariants } = model.invariants;
  const changed = { ...lifecycle, model: { ...model, invariants: { ...invariants, idle: { never: () => false } } } };
  const { outcome: told } = check(changed, { seed: 7, mutation: false, proof: false });
  const text = outcomeText(told);
  assert.match(
    text,
    new RegExp(`sleepSetting\\.md:\\d+ {2}specs/lifecycles/sleepSetting/model\\.ts:\\d+\\n +.*no invariant ${name}`),
  );
  assert.match(
    text,
    /model\.ts:\d+ {2}specs\/tables\/sleepSetting\.md:\d+\n +the model's invariant idle is not written down/,
  );
});

const whyOf = async (file: string) => {
  try {
    await import(pathToFileURL(file).href);
    return ['it was loaded'];
  } catch (error) {
    return whyUnloadable(error, 'asked.ts');
  }
};

spec('a source that cannot be loaded is reported with its line and the reason, in one line', async () => {
  const broken = fileOf('broken.ts', 'export const a = 1;\nexport const b = { {\n');
  assert.equal(await whyOf(broken), [`${broken}:2: Expected identifier but found "{"`]);
  const lone = fileOf('lone.mts', "import './absent.ts';\n");
  assert.equal(await whyOf(lone), [`${lone}: ${join(folder, 'absent.ts')} is not there, which it imports`]);
  assert.equal(whyUnloadable(new Error('boom\nat length'), 'asked.ts'), ['asked.ts: boom']);
  assert.is(
    unreadText({ name: 'token', why: ['specs/tables/token.md is not there'] }),
    'WRONG  token                  cannot be checked\n  specs/tables/token.md is not there',
  );
});

spec('a fact of a wrong type is refused with its name and the expected type', () => {
  const sample = JSON.parse(sampleFacts(lifecycle).lines.join('\n')) as Readonly<Record<string, unknown>>;
  const [name = ''] = Object.keys(sample);
  const told = (facts: object) => tryFacts(lifecycle, fileOf('facts.json', JSON.stringify(facts)), undefined);
  assert.is(told(sample).exit, 0);
  const { lines, exit } = told({ ...sample, [name]: [{}] });
  assert.is(exit, 2);
  assert.is(lines.length, 1);
  assert.match(lines[0] ?? '', new RegExp(`facts\\.json: ${name} should be an? \\w+.*, it is \\[\\{\\}\\]$`));
});

const specs = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', 'specs/check/main.ts', ...args], { cwd: root, encoding: 'utf8' });

const asked: readonly (readonly [args: readonly string[], told: RegExp])[] = [
  [['--only', ''], /^--only names no lifecycle\n$/],
  [['--only', ','], /^--only names no lifecycle\n$/],
  [['--only', 'token,nothing'], /^no lifecycle is called "nothing"; there are /],
  [['foo'], /^no command is called "foo"\n\nnpm run specs /],
];
for (const [args, told] of asked)
  spec(`"${args.join(' ')}" is refused`, () => {
    const { status, stdout, stderr } = specs(...args);
    assert.is(status, 2);
    assert.match(stdout + stderr, told);
  });

spec('a closed output ends the run quietly as unfinished', () => {
  const { stdout, stderr } = spawnSync(
    'sh',
    [
      '-c',
      `{ "${process.execPath}" --import tsx specs/check/main.ts --only token --no-mutation; echo "exit $?" >&2; } | true`,
    ],
    { cwd: root, encoding: 'utf8' },
  );
  assert.is(stdout, '');
  assert.is(stderr, 'exit 1\n');
});

spec.run();

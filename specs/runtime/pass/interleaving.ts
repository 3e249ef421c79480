import { Effect } from 'effect';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { HistoryEntry } from '../../../crds/kind.ts';
import { annotation } from '../../../crds/names.ts';
import { historyOf } from '../../../runtime/step/history.ts';
import { type Sample, plumbing } from './sampleController.ts';
import { away, makeSampleEnvironment } from './sampleEnvironment.ts';

/** Manual changes. Those that only edit lose nothing; the others remove the annotation or the status. */
const userEdits = [
  'opens',
  'closes',
  'wears',
  'drops the annotation',
  'exports',
  'puts the export back',
  'wipes the status',
] as const;
type Edit = (typeof userEdits)[number];
const isFoul = (edit: Edit) => ['drops the annotation', 'puts the export back', 'wipes the status'].includes(edit);

type Deed =
  | { readonly is: 'look'; readonly stale: boolean }
  | { readonly is: 'ask'; readonly asked: 'open' | 'close' }
  | { readonly is: 'edit'; readonly edit: Edit };

/** One action, what happens before its n-th write, and whether its process dies there instead. */
interface Turn {
  readonly deed: Deed;
  readonly at: number;
  readonly between: readonly Deed[] | 'death';
}

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ is: fc.constant('look' as const), stale: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('ask' as const), asked: fc.constantFrom('open', 'close') }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('edit' as const), edit: fc.constantFrom(...userEdits) }) },
);
const turn: fc.Arbitrary<Turn> = fc.record({
  deed,
  at: fc.integer({ min: 1, max: 3 }),
  between: fc.oneof(fc.constant('death' as const), fc.array(deed, { maxLength: 3 })),
});

async function play(turns: readonly Turn[]) {
  const environment = makeSampleEnvironment(plumbing(), { spec: { open: false } });
  await environment.look();
  let reader = environment.sample();
  let exported: Sample | null = null;
  let asked = 0;
  const answered: string[] = [];
  const done: Edit[] = [];

  const makeEdit = (edit: Edit) => {
    const { spec: before, metadata } = environment.sample();
    const { [annotation.move]: _, ...annotations } = metadata.annotations ?? {};
    switch (edit) {
      case 'opens':
      case 'closes':
        if ((before?.open === true) === (edit === 'opens')) return;
        environment.edit(() => ({ spec: { ...before, open: edit === 'opens' } }));
        break;
      case 'wears':
        environment.edit(() => ({ spec: { ...before, worn: true } }));
        break;
      case 'drops the annotation':
        environment.edit(() => ({ metadata: { ...metadata, annotations } }));
        break;
      case 'exports':
        exported = environment.sample();
        break;
      case 'puts the export back':
        if (exported === null) return;
        const { spec: was, metadata: whose } = exported;
        environment.edit(() => ({ spec: was, metadata: { ...metadata, annotations: whose.annotations ?? {} } }));
        break;
      case 'wipes the status':
        environment.edit(() => ({ status: {} }));
    }
    done.push(edit);
  };
  const act = async (what: Deed): Promise<void> => {
    environment.later(1_000);
    if (what.is === 'edit') return makeEdit(what.edit);
    if (what.is === 'look') {
      const at = what.stale ? reader : environment.sample();
      reader = environment.sample();
      await environment.look(at);
      return;
    }
    const by = `kim${++asked}`;
    const result = await environment.ask({ asked: what.asked, by });
    if (result._tag === 'Success') answered.push(by);
  };

  for (const { deed: what, at, between } of turns) {
    let writes = 0;
    environment.hooks.before = () =>
      Effect.suspend(() => {
        writes++;
        if (between === 'death') return writes >= at ? away() : Effect.void;
        if (writes !== at) return Effect.void;
        const hook = environment.hooks.before;
        environment.hooks.before = () => Effect.void;
        return Effect.promise(async () => {
          for (const one of between) await act(one);
          environment.hooks.before = hook;
        });
      });
    await act(what);
  }

  environment.hooks.before = () => Effect.void;
  let looks = 0;
  for (let before = -1; before !== environment.writes.length && looks < 12; looks++) {
    before = environment.writes.length;
    await environment.look();
  }
  return { environment, answered, done, looks };
}

const carriedBy = (patch: object): string => {
  const { metadata } = patch as { readonly metadata?: { readonly annotations?: Record<string, string | null> } };
  const text = metadata?.annotations?.[annotation.move];
  return typeof text === 'string' ? (JSON.parse(text) as HistoryEntry).by : '';
};
const wipes = (done: readonly Edit[]) => done.includes('wipes the status');

function check({ environment, answered, done, looks }: Awaited<ReturnType<typeof play>>): void {
  const sample = environment.sample();
  const told = historyOf(sample);
  assert.ok(looks < 12, 'it comes to rest');
  for (const lifecycle of environment.controller.lifecycles) {
    const mine = told.filter(({ machine }) => machine === lifecycle.name);
    assert.is(mine.at(-1)?.to, lifecycle.read(sample), `the history of ${lifecycle.name} leads to where it stands`);
    mine.slice(1).forEach((entry, index) => assert.is(entry.from, mine[index]?.to, 'each begins where the last ended'));
  }
  told.slice(1).forEach((entry, index) => assert.ok(entry.seq > (told[index]?.seq ?? 0), 'numbers rise'));

  const byKim = told.map(({ by }) => by).filter((by) => by.startsWith('kim'));
  assert.is(new Set(byKim).size, byKim.length, 'no move is entered twice');
  const written = environment.patches.map(carriedBy).filter((by) => by.startsWith('kim'));
  for (const by of byKim) assert.ok(written.includes(by), `${by} moved it`);
  if (wipes(done) || told.length >= 20) return;
  for (const by of answered) assert.ok(byKim.includes(by), `${by} was answered, and is told`);
  if (done.some(isFoul)) return;
  for (const by of written) assert.ok(byKim.includes(by), `${by} moved it, and is told`);
  const outside = told.filter(({ machine, by, from }) => machine === 'valve' && by === 'outside' && from !== '(none)');
  assert.ok(
    outside.length <= done.filter((edit) => edit === 'opens' || edit === 'closes').length,
    'no move is invented',
  );
}

/**
 * Searches for turns after which a move is lost, doubled or invented, and returns what is wrong then; empty when none
 * is found.
 */
export async function searched(numRuns: number): Promise<string> {
  const lives = fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 8 }), async (turns) =>
    check(await play(turns)),
  );
  const { failed, counterexample, errorInstance } = await fc.check(lives, { numRuns, seed: 1 });
  return failed ? `${String(errorInstance)} after ${JSON.stringify(counterexample)}` : '';
}

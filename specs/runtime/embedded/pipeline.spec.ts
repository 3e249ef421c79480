import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { logLine } from '../../../runtime/services/log.ts';
import { listAt } from '../../../runtime/embedded/api/json.ts';
import { StatusError } from '../../../runtime/embedded/api/status.ts';
import { type Entry, placeOf } from '../../../runtime/embedded/api/store/disk.ts';
import { createStore } from '../../../runtime/embedded/api/store/store.ts';
import type { Place, Stored } from '../../../runtime/embedded/store.ts';
import { suite } from '../../support/suite.ts';
import { configMap } from './started.ts';

const spec = suite('pipeline');
const turn = () => new Promise((done) => setImmediate(done));
const place = (name: string): Place => ({ bucket: '/configmaps', namespace: 'a', name });
const keyOf = ({ bucket, namespace, name }: Place) => `${bucket}/${namespace}/${name}`;

/** Each write adds its own number to those that made the object what it is. */
const chainOf = (object: unknown): readonly number[] => listAt(object, 'data', 'chain').map(Number);

/** A disk whose commits end when the spec says so. */
function steered() {
  const kept = new Map<string, string>();
  const stored = new Set<number>();
  const sizes: number[] = [];
  let newest = 0;
  let underWay: ((holds: boolean) => void) | null = null;

  const write = (entries: readonly Entry[], revision: number) =>
    new Promise<void>((done, failed) => {
      assert.is(underWay, null, 'one commit at a time');
      sizes.push(entries.length);
      underWay = (holds) => {
        underWay = null;
        if (!holds) {
          failed(new Error('EIO: no luck'));
          return;
        }
        newest = revision;
        for (const { place: at, text } of entries) {
          if (text === null) kept.delete(keyOf(at));
          else kept.set(keyOf(at), text);
          chainOf(JSON.parse(text ?? '{}')).forEach((id) => stored.add(id));
        }
        done();
      };
    });

  return {
    kept,
    /** The numbers of all writes that ever reached the disk. */
    stored,
    sizes,
    newest: () => newest,
    isBusy: () => underWay !== null,
    end: (holds: boolean) => underWay?.(holds),
    store: createStore({ revision: 0, load: () => [], write, close: async () => {} }, logLine),
  };
}

type Answer = 'open' | 'done' | 'refused' | 'lost';

/** Writes of a few objects, each with a number, and what became of them. */
function writers({ store, stored }: ReturnType<typeof steered>) {
  const answers: Answer[] = [];
  const faults: string[] = [];

  async function follow(asked: Promise<Stored>) {
    const id = answers.push('open') - 1;
    try {
      const early = chainOf(await asked).filter((made) => !stored.has(made));
      if (early.length > 0) faults.push(`${id} was told of ${early.join()} before it was stored`);
      answers[id] = 'done';
    } catch (why) {
      answers[id] = why instanceof StatusError && why.body.code === 507 ? 'lost' : 'refused';
    }
  }

  return {
    answers,
    faults,
    create: (name: string) => void follow(store.create(place(name), configMap(name, { chain: [answers.length] }))),
    remove: (name: string) => void follow(store.remove(place(name))),
    same: (name: string) => void follow(store.update(place(name), (old) => old)),
    append(name: string) {
      const id = answers.length;
      void follow(store.update(place(name), (old) => ({ ...old, data: { chain: [...chainOf(old), id] } })));
    },
  };
}

const name = fc.constantFrom('x', 'y', 'z');
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ is: fc.constantFrom('create', 'append', 'append', 'same', 'remove'), name }) },
  { weight: 2, arbitrary: fc.constant({ is: 'turn', name: '' } as const) },
  { weight: 2, arbitrary: fc.constant({ is: 'hold', name: '' } as const) },
  { weight: 1, arbitrary: fc.constant({ is: 'fail', name: '' } as const) },
);

spec('all acknowledged or read data is on disk, and no refused data is, whichever commits fail', async () => {
  const seen = { lost: 0, done: 0, gathered: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const disk = steered();
      const writes = writers(disk);
      const { answers } = writes;
      const told: number[] = [];
      disk.store.onChange(({ object }) => {
        told.push(Number(object.metadata.resourceVersion));
        if ((told.at(-1) ?? 0) > disk.newest()) writes.faults.push('a change is told that is not stored');
      });

      async function end(holds: boolean) {
        if (!disk.isBusy()) return;
        const open = answers.flatMap((answer, id) => (answer === 'open' ? [id] : []));
        disk.end(holds);
        await turn();
        if (!holds) {
          for (const id of open) assert.ok(['lost', 'refused'].includes(answers[id] ?? ''), `${id} is ${answers[id]}`);
          seen.gathered += Number(open.length > (disk.sizes.at(-1) ?? 0));
        }
      }

      for (const { is, name: at } of steps) {
        if (is === 'turn') await turn();
        else if (is === 'hold' || is === 'fail') await end(is === 'hold');
        else writes[is](at);
        const stored = new Map([...disk.kept].map(([key, text]) => [placeOf(key).name, text]));
        const read = disk.store
          .list('/configmaps')
          .map((object) => [object.metadata.name, JSON.stringify(object)] as const);
        assert.equal(new Map(read), stored, 'readers see what is stored');
      }
      for (let left = 3; left > 0; left -= 1) {
        await turn();
        await end(true);
      }
      assert.not.ok(answers.includes('open'), 'all are answered');
      assert.equal(writes.faults, []);

      assert.equal(
        told,
        [...new Set(told)].toSorted((a, b) => a - b),
        'versions are told in their order',
      );
      for (const [id, answer] of answers.entries()) {
        if (answer !== 'done') assert.not.ok(disk.stored.has(id), `${id} is ${answer}, and stored`);
        if (answer === 'lost') seen.lost += 1;
        if (answer === 'done') seen.done += 1;
      }
    }),
    { numRuns: 300 },
  );
  assert.ok(seen.lost > 0 && seen.done > 0 && seen.gathered > 0, JSON.stringify(seen));
});

spec('writes requested during a commit are stored by the next one, in order', async () => {
  const disk = steered();
  const first = disk.store.create(place('x'), configMap('x', { chain: [0] }));
  await turn();
  assert.ok(disk.isBusy());
  const behind = [1, 2, 3].map((id) =>
    disk.store.update(place('x'), (old) => ({ ...old, data: { chain: [...chainOf(old), id] } })),
  );
  await turn();
  assert.is(disk.store.get(place('x')), undefined, 'nobody sees what is not stored yet');
  disk.end(true);
  assert.equal(chainOf(await first), [0]);
  await turn();
  disk.end(true);
  assert.equal(
    (await Promise.all(behind)).map(({ metadata }) => metadata.resourceVersion),
    ['2', '3', '4'],
  );
  assert.equal(chainOf(disk.store.get(place('x'))), [0, 1, 2, 3]);
  assert.equal(disk.sizes, [1, 3]);
});

spec('a failed commit fails the commits queued behind it, and later ones start from the stored state', async () => {
  const disk = steered();
  const asked = [disk.store.create(place('x'), configMap('x'))];
  await turn();
  asked.push(disk.store.update(place('x'), (old) => ({ ...old, data: { built: 'on it' } })));
  asked.push(disk.store.update(place('x'), (old) => old));
  const answers = Promise.allSettled(asked);
  disk.end(false);
  for (const answer of await answers) {
    assert.is(answer.status, 'rejected');
    assert.match(String(answer.status === 'rejected' && answer.reason), /no luck/);
  }
  assert.equal(disk.sizes, [1], 'what was built on it was not tried');
  const again = disk.store.create(place('x'), configMap('x'));
  await turn();
  disk.end(true);
  assert.is((await again).metadata.resourceVersion, '1');
});

spec.run();

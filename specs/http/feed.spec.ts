import * as assert from 'uvu/assert';
import type { CoreBuild } from '../../crds/coreBuild.ts';
import { makeFeed } from '../../http/events/feed.ts';
import { tables } from '../../machines/tables.ts';
import type { Changed } from '../../runtime/cache/cache.ts';
import { buildController } from '../../runtime/controllers/build/controller.ts';
import type { Notice, Operator } from '../../runtime/operator.ts';
import { suite } from '../support/suite.ts';
import { handMade, until } from '../support/world.ts';

const feed = suite('feed');
const controller = buildController({ builderImage: 'b', gitImage: 'g', gitUrl: 'https://git.example' });

/** An operator whose changes and looks a test scripts. */
function scripted() {
  const objects = new Map<string, CoreBuild>();
  const listeners = new Set<(changed: Changed<CoreBuild>) => void>();
  const noticing = new Set<(notice: Notice) => void>();
  const looks: { dueAt: number | undefined; failures: number; asked: number } = {
    dueAt: undefined,
    failures: 0,
    asked: 0,
  };
  const operator = {
    controllers: [controller],
    caches: {
      all: [],
      get: (_: unknown, name: string) => objects.get(name),
      of: () => ({
        onChange: (listener: (changed: Changed<CoreBuild>) => void) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      }),
    },
    isLeading: () => true,
    nextLookAt: () => {
      looks.asked++;
      return looks.dueAt;
    },
    failure: () => (looks.failures === 0 ? undefined : { text: 'no', count: looks.failures }),
    onNotice: (listener: (notice: Notice) => void) => {
      noticing.add(listener);
      return () => noticing.delete(listener);
    },
  } as unknown as Operator;
  const change = (object: CoreBuild, previous?: CoreBuild) => {
    const type = previous ? 'modified' : 'added';
    for (const listener of listeners) listener({ type, object, previous, own: false, initial: false });
  };
  const made = makeFeed(operator, tables, Date.now);
  const told: string[] = [];
  const unsubscribe = made.subscribe('whole', (pieces) =>
    told.push(...pieces.split('\n\n').filter((piece) => piece !== '')),
  );
  const notify = (is: 'trouble' | 'looked', name: string) => {
    for (const listener of noticing) listener({ is, controller, name });
  };
  return { objects, listeners, noticing, notify, looks, change, made, told, unsubscribe };
}

const build = (phase: 'Pending' | 'Running', moves: number): CoreBuild => {
  const history = Array.from({ length: moves }, (_, index) => ({
    seq: index + 1,
    machine: 'build',
    from: 'Pending',
    event: 'x',
    to: phase,
    by: 'operator',
    at: '2026-01-01T00:00:00.000Z',
    text: '',
  }));
  return handMade('b', {}, { phase, history });
};
/** Longer than the feed waits for the end of a pass: nothing more is sent afterwards. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 350));

feed('when an instance is looked at again is told once the pass is over, and only if it changed', async () => {
  const { objects, looks, change, made, told } = scripted();
  const object = build('Running', 0);
  objects.set('b', object);
  change(object);
  await until(() => told.length === 1, 'the change');
  looks.dueAt = Date.parse('2030-01-01T00:00:00.000Z');
  await until(() => told.length === 2, 'when it is looked at again');
  assert.match(told[1] ?? '', '"nextLook":"2030-01-01T00:00:00.000Z"');
  change(object, object);
  await until(() => told.length === 3, 'the second change');
  await settled();
  assert.is(told.length, 3, 'it looks no different afterwards');
  made.stop();
});

feed('a look that moved nothing tells when the next one is', async () => {
  const { objects, looks, notify, made, told } = scripted();
  objects.set('b', build('Running', 0));
  looks.dueAt = Date.parse('2030-01-01T00:00:00.000Z');
  notify('looked', 'b');
  await until(() => told.length === 1, 'the look');
  assert.match(told[0] ?? '', '"nextLook":"2030-01-01T00:00:00.000Z"');
  made.stop();
});

feed('a change that is told late shows the newest state, and its moves are told all the same', async () => {
  const { objects, change, made, told } = scripted();
  const [older, newer] = [build('Pending', 1), build('Running', 2)];
  objects.set('b', newer);
  change(newer, older);
  change(older);
  await until(() => told.length === 2, 'both moves');
  assert.equal(
    told.map((piece) => /id: (\S+)/.exec(piece)?.[1]?.split('.').at(-1)),
    ['2', '1'],
  );
  for (const piece of told) assert.match(piece, '"state":"Running"');
  made.stop();
});

feed('passes that begin to fail are told', async () => {
  const { objects, looks, notify, made, told } = scripted();
  objects.set('b', build('Running', 0));
  looks.failures = 3;
  notify('trouble', 'b');
  await until(() => told.length === 1, 'the trouble');
  assert.match(told[0] ?? '', '"failures":3');
  made.stop();
});

feed('nothing is made for nobody, and nothing listens on after the end', async () => {
  const { objects, listeners, noticing, change, made, told, unsubscribe } = scripted();
  unsubscribe();
  objects.set('b', build('Running', 1));
  change(build('Running', 1));
  await settled();
  assert.is(told.length, 0);
  assert.ok(made.changedAt('build', 'corebuilds:b'));
  made.stop();
  assert.is(listeners.size + noticing.size, 0);
});
feed('AUT-031 each view is told its own copy, written once however many read it', async () => {
  const { objects, looks, change, made, told } = scripted();
  const heard = Array.from({ length: 50 }, () => '');
  const unsubscribers = heard.map((_, index) =>
    made.subscribe('viewer', (pieces) => {
      heard[index] += pieces;
    }),
  );
  const moved = build('Running', 1);
  const history = [{ ...moved.status?.history?.[0], text: 'reads acme/hush' }] as NonNullable<
    typeof moved.status
  >['history'];
  const object = { ...moved, status: { ...moved.status, history } } as CoreBuild;
  objects.set('b', object);
  change(object);
  await until(() => told.length > 0 && heard.every((text) => text !== ''), 'all are told');
  assert.match(told.join(''), 'reads acme/hush');
  assert.is(new Set(heard).size, 1);
  assert.match(heard[0] ?? '', 'event: move');
  assert.not.match(heard[0] ?? '', 'hush');
  assert.is(looks.asked, 2, 'once for an admin, once for all viewers');
  for (const unsubscribe of unsubscribers) unsubscribe();
  made.stop();
});

feed.run();

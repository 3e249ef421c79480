import * as assert from 'uvu/assert';
import type { CoreBuild } from '../../crds/coreBuild.ts';
import { makeFeed } from '../../http/events/feed.ts';
import { tables } from '../../machines/tables.ts';
import type { Changed } from '../../runtime/cache/indexer.ts';
import { buildController } from '../../runtime/controllers/build/controller.ts';
import type { Notice, Operator } from '../../runtime/operator.ts';
import { suite } from '../support/suite.ts';
import { userBuild, until } from '../support/environment.ts';

const feed = suite('feed');
const controller = buildController({ builderImage: 'b', gitImage: 'g', gitUrl: 'https://git.example' });

/** An operator whose changes and looks a test scripts. */
function scripted() {
  const objects = new Map<string, CoreBuild>();
  const listeners = new Set<(changed: Changed<CoreBuild>) => void>();
  const noticing = new Set<(notice: Notice) => void>();
  const looks: { dueAt: number | undefined; everyMs: number | undefined; failures: number; asked: number } = {
    dueAt: undefined,
    everyMs: undefined,
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
    requeueAt: () => {
      looks.asked++;
      return looks.dueAt;
    },
    checkEveryMs: () => looks.everyMs,
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
  const sent: string[] = [];
  const unsubscribe = made.subscribe('whole', (parts) =>
    sent.push(...parts.split('\n\n').filter((piece) => piece !== '')),
  );
  const notify = (is: 'trouble' | 'rescheduled', name: string) => {
    for (const listener of noticing) listener({ is, controller, name });
  };
  return { objects, listeners, noticing, notify, looks, change, made, sent, unsubscribe };
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
  return userBuild('b', {}, { phase, history });
};
/** Longer than the feed waits for the end of a pass: nothing more is sent afterwards. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 350));

feed('the feed sends the next check of an instance after the pass, and only when it changed', async () => {
  const { objects, looks, change, made, sent } = scripted();
  const object = build('Running', 0);
  objects.set('b', object);
  change(object);
  await until(() => sent.length === 1, 'the change');
  looks.dueAt = Date.parse('2030-01-01T00:00:00.000Z');
  await until(() => sent.length === 2, 'the next check is announced');
  assert.match(sent[1] ?? '', '"nextCheckAt":"2030-01-01T00:00:00.000Z"');
  change(object, object);
  await until(() => sent.length === 3, 'the second change');
  await settled();
  assert.is(sent.length, 3, 'an unchanged check sends nothing');
  made.stop();
});

feed('the feed sends a rescheduled check when the pass makes no move', async () => {
  const { objects, looks, notify, made, sent } = scripted();
  objects.set('b', build('Running', 0));
  looks.dueAt = Date.parse('2030-01-01T00:00:00.000Z');
  notify('rescheduled', 'b');
  await until(() => sent.length === 1, 'the check arrives');
  assert.match(sent[0] ?? '', '"nextCheckAt":"2030-01-01T00:00:00.000Z"');
  made.stop();
});

feed('the feed sends the newest state and all moves when a change arrives late', async () => {
  const { objects, change, made, sent } = scripted();
  const [older, newer] = [build('Pending', 1), build('Running', 2)];
  objects.set('b', newer);
  change(newer, older);
  change(older);
  await until(() => sent.length === 2, 'both moves');
  assert.equal(
    sent.map((piece) => /id: (\S+)/.exec(piece)?.[1]?.split('.').at(-1)),
    ['2', '1'],
  );
  for (const piece of sent) assert.match(piece, '"state":"Running"');
  made.stop();
});

feed('the feed reports when passes begin to fail', async () => {
  const { objects, looks, notify, made, sent } = scripted();
  objects.set('b', build('Running', 0));
  looks.failures = 3;
  notify('trouble', 'b');
  await until(() => sent.length === 1, 'the trouble');
  assert.match(sent[0] ?? '', '"failures":3');
  made.stop();
});

feed('the feed serializes nothing without subscribers and unsubscribes at the end', async () => {
  const { objects, listeners, noticing, change, made, sent, unsubscribe } = scripted();
  unsubscribe();
  objects.set('b', build('Running', 1));
  change(build('Running', 1));
  await settled();
  assert.is(sent.length, 0);
  assert.ok(made.changedAt('build', 'corebuilds:b'));
  made.stop();
  assert.is(listeners.size + noticing.size, 0);
});
feed('AUT-031 the feed serializes an event once per view', async () => {
  const { objects, looks, change, made, sent } = scripted();
  const heard = Array.from({ length: 50 }, () => '');
  const unsubscribers = heard.map((_, index) =>
    made.subscribe('viewer', (parts) => {
      heard[index] += parts;
    }),
  );
  const moved = build('Running', 1);
  const history = [{ ...moved.status?.history?.[0], text: 'reads acme/hush' }] as NonNullable<
    typeof moved.status
  >['history'];
  const object = { ...moved, status: { ...moved.status, history } } as CoreBuild;
  objects.set('b', object);
  change(object);
  await until(() => sent.length > 0 && heard.every((text) => text !== ''), 'all events arrive');
  assert.match(sent.join(''), 'reads acme/hush');
  assert.is(new Set(heard).size, 1);
  assert.match(heard[0] ?? '', 'event: move');
  assert.not.match(heard[0] ?? '', 'hush');
  assert.is(looks.asked, 2, 'once for an admin, once for all viewers');
  for (const unsubscribe of unsubscribers) unsubscribe();
  made.stop();
});

feed.run();

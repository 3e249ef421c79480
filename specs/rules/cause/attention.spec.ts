import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { StoredCause } from '../../../crds/cause.ts';
import {
  type Attention,
  attentionKey,
  attentionOf,
  byAttention,
  type Concern,
  type Concerned,
  isConcern,
  isDue,
  stuckAfterMs,
  wordOf,
} from '../../../rules/cause/attention.ts';
import { isoTime } from '../../../rules/time.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('what needs attention');

const noon = Date.UTC(2026, 0, 1, 12);
const secret = { kind: 'Secret', name: 'token', namespace: 'shop-production', reason: 'SecretMissing' };
const cause = (fields: Partial<StoredCause> = {}): StoredCause => ({
  of: 'Ready',
  reason: 'SecretMissing',
  severity: 'failure',
  message: 'Secret "token" is missing',
  on: { kind: 'Secret', name: 'token', namespace: 'shop-production' },
  since: isoTime(noon),
  ...fields,
});
const waits = (fields: Partial<StoredCause> = {}): StoredCause =>
  cause({
    reason: 'ProjectNotReady',
    severity: 'waiting',
    on: { kind: 'CoreProject', name: 'shop', namespace: 'core-system' },
    root: secret,
    ...fields,
  });
const concern = (name: string, of: StoredCause, object: Partial<Concerned> = {}): Concern => ({
  object: { kind: 'CoreApp', name, project: 'shop', environment: 'production', state: 'pending', ...object },
  cause: of,
});
const itemOf = (...concerns: readonly Concern[]): Attention => {
  const item = attentionOf(attentionKey(concerns[0]?.cause ?? cause()), concerns);
  if (item === null) throw new Error('no item');
  return item;
};

const words: readonly (readonly [what: string, of: Concern, word: string])[] = [
  ['given up', concern('web', cause({ gaveUp: true })), 'Failed'],
  ['given up, waiting', concern('web', waits({ gaveUp: true })), 'Failed'],
  [
    'a failed build',
    concern('web-1', cause({ reason: 'BuildFailed' }), { kind: 'CoreBuild', state: 'failed' }),
    'Failed',
  ],
  ['a failed backup', concern('db', cause({ of: 'Backups', reason: 'BackupFailed' })), 'At risk'],
  ['storage of backups', concern('shop', cause({ of: 'BackupStorage', reason: 'BackupStorageFailing' })), 'At risk'],
  ['a first backup', concern('db', cause({ of: 'Backups', reason: 'CopiesStarting', severity: 'progress' })), 'Stuck'],
  ['a crash loop', concern('web', cause({ reason: 'CrashLoop' })), 'Crashing'],
  ['too little memory', concern('web', cause({ reason: 'OutOfMemory' })), 'Crashing'],
  ['flapping', concern('web', cause({ reason: 'Flapping' })), 'Crashing'],
  ['a failure', concern('web', cause()), 'Retrying'],
  ['a wait', concern('web', waits()), 'Stuck'],
  ['progress', concern('web', cause({ reason: 'CopiesStarting', severity: 'progress' })), 'Stuck'],
];
for (const [what, of, word] of words)
  spec(`the word of ${what} is ${word}`, () => {
    assert.is(wordOf(of), word);
  });

spec('nobody has to know of notes, and of a repository without a commit', () => {
  assert.ok(isConcern(cause()));
  assert.not.ok(isConcern(cause({ severity: 'note' })));
  assert.not.ok(isConcern(cause({ reason: 'FirstPushAwaited', severity: 'waiting' })));
  assert.not.ok(isConcern(waits({ root: { ...secret, reason: 'FirstPushAwaited' } })));
});

spec('a missing Secret with five services is one item, told of the project that names it', () => {
  const apps = ['a', 'b', 'c', 'd', 'e'].map((name) => concern(name, waits()));
  const project = concern('shop', cause(), { kind: 'CoreProject', environment: '' });
  assert.is(new Set([project, ...apps].map((one) => attentionKey(one.cause))).size, 1);
  const item = itemOf(...apps, project);
  assert.equal(
    [item.word, item.reported.object.name, item.others.map(({ object }) => object.name)],
    ['Retrying', 'shop', ['a', 'b', 'c', 'd', 'e']],
  );
});

spec('a dependant that was given up makes its root an item that failed', () => {
  const item = itemOf(concern('shop', cause(), { kind: 'CoreProject' }), concern('db', waits({ gaveUp: true })));
  assert.equal([item.word, item.reported.object.name], ['Failed', 'shop']);
});

spec('what was given up for a root that is gone stays one item', () => {
  const over = waits({ gaveUp: true, resolved: true });
  const item = itemOf(concern('b', over), concern('a', over));
  assert.equal([item.word, item.reported.object.name, item.reported.cause.resolved], ['Failed', 'a', true]);
  assert.equal(
    item.others.map(({ object }) => object.name),
    ['b'],
  );
});

spec('what only waits needs attention after five minutes, and a failure at once', () => {
  const waiting = itemOf(concern('web', waits()));
  assert.not.ok(isDue(waiting, noon + stuckAfterMs - 1));
  assert.ok(isDue(waiting, noon + stuckAfterMs));
  assert.ok(isDue(itemOf(concern('web', cause())), noon));
});

spec('an object with two causes of one root and reason is held up once', () => {
  const item = itemOf(
    concern('shop', cause(), { kind: 'CoreProject' }),
    concern('web', waits()),
    concern('web', waits({ of: 'Variables' })),
  );
  assert.is(item.others.length, 1);
});

spec('the same root and reason has the same id, and another reason another one', () => {
  assert.is(itemOf(concern('web', cause())).id, itemOf(concern('api', waits())).id);
  assert.is.not(itemOf(concern('web', cause())).id, itemOf(concern('web', cause({ reason: 'KeyMissing' }))).id);
});

spec('items are in the order of their words, then of what they hold up, then the newest first', () => {
  const late = { since: isoTime(noon + 1_000) };
  const ordered = [
    itemOf(concern('failed', cause({ gaveUp: true }))),
    itemOf(concern('backup', cause({ of: 'Backups', reason: 'BackupFailed' }))),
    itemOf(concern('crash', cause({ reason: 'CrashLoop' }))),
    itemOf(concern('holds two', cause()), concern('x', waits()), concern('y', waits())),
    itemOf(concern('newer', cause(late))),
    itemOf(concern('older', cause())),
    itemOf(concern('stuck', waits())),
  ];
  fc.assert(
    fc.property(fc.shuffledSubarray(ordered, { minLength: ordered.length }), (shuffled) => {
      assert.equal(
        shuffled.toSorted(byAttention).map(({ reported }) => reported.object.name),
        ordered.map(({ reported }) => reported.object.name),
      );
    }),
    { numRuns: 50 },
  );
});

spec.run();

import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { causeLength, causesKept, type StoredCause } from '../../../crds/cause.ts';
import type { FoundCause } from '../../../rules/cause/cause.ts';
import { recordedCauses } from '../../../rules/cause/record.ts';
import { reasons, type CauseReason } from '../../../rules/cause/reasons.ts';
import { isoTime, msOf } from '../../../rules/time.ts';
import { hidden, open, sentence, textFor } from '../../../rules/words.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('recorded causes');

const noon = Date.UTC(2026, 0, 1, 12);
const on = { kind: 'Deployment', name: 'web', namespace: 'shop-production' };
const crash = (count: number, more: Partial<FoundCause> = {}): FoundCause => ({
  reason: 'CrashLoop',
  message: open('the program ends by itself'),
  on,
  count,
  lastAt: isoTime(noon + count * 1_000),
  ...more,
});
const record = (before: readonly StoredCause[], found: readonly FoundCause[], now = noon, gaveUp = false) =>
  recordedCauses(before, { found, gaveUp }, now);

spec('a cause keeps its beginning while reason and object stay, and begins anew with another object', () => {
  const { causes: first } = record([], [crash(1)]);
  assert.equal(first[0]?.since, isoTime(noon));
  const { causes: later } = record(first, [crash(400)], noon + 400_000);
  assert.equal([later[0]?.since, later[0]?.count], [isoTime(noon), 400]);
  const other = { ...on, name: 'api' };
  assert.equal(record(later, [crash(1, { on: other })], noon + 500_000).causes[0]?.since, isoTime(noon + 500_000));
});

spec('a change of count or time alone is recorded at most once in three minutes, and the rest is asked for', () => {
  const { causes } = record([], [crash(1)], noon + 1_000);
  const held = record(causes, [crash(2)], noon + 180_000);
  assert.equal(held.causes, causes);
  assert.is(held.changesAt, noon + 181_000);
  assert.is(record(causes, [crash(2)], noon + 181_000).causes[0]?.count, 2);
});

spec('a change of words alone is recorded at most once a minute, and the rest is asked for', () => {
  const placed = (nodes: number): FoundCause => {
    const message = sentence('no node takes the copy: {nodes} nodes', { nodes: hidden(nodes) });
    return { reason: 'Unschedulable', message, on };
  };
  const { causes: first } = record([], [placed(1)], noon);
  const { causes } = record(first, [placed(2)], noon + 1_000);
  const held = record(causes, [placed(3)], noon + 60_000);
  assert.equal(held.causes, causes);
  assert.is(held.changesAt, noon + 61_000);
  assert.is(record(causes, [placed(3)], noon + 61_000).causes[0]?.message, 'no node takes the copy: 3 nodes');
});

spec('a change of count waits for no minute when the status is written anyway', () => {
  const { causes } = record([], [crash(1)], noon + 1_000);
  const findings = { found: [crash(2)], gaveUp: false };
  assert.is(recordedCauses(causes, findings, noon + 20_000, { isWritten: () => true }).causes[0]?.count, 2);
  assert.is(recordedCauses(causes, findings, noon + 20_000, { isWritten: () => false }).causes[0]?.count, 1);
});

spec('a cause whose words change in each pass is written once a minute', () => {
  let causes: readonly StoredCause[] = [];
  let writes = 0;
  for (let second = 0; second < 600; second += 5) {
    const message = sentence('no node takes the copy: {message}', { message: hidden(`${second} of 9 nodes`) });
    const next = record(causes, [{ reason: 'Unschedulable', message, on }], noon + second * 1_000).causes;
    if (next !== causes && JSON.stringify(next) !== JSON.stringify(causes)) writes++;
    causes = next;
  }
  assert.ok(writes <= 11, `${writes} writes in ten minutes`);
});

spec('a new severity, root or end of trying is recorded at once', () => {
  const { causes } = record([], [crash(1)], noon + 1_000);
  assert.is(record(causes, [crash(2, { severity: 'note' })], noon + 2_000).causes[0]?.severity, 'note');
  assert.is(record(causes, [crash(2)], noon + 2_000, true).causes[0]?.gaveUp, true);
  const root = { kind: 'Secret', name: 'token', namespace: 'core-system', reason: 'SecretMissing' };
  assert.equal(record(causes, [crash(2, { root })], noon + 2_000).causes[0]?.root, root);
});

spec('a clock that was set back by three hours delays no change', () => {
  const { causes } = record([], [crash(1)], noon);
  const earlier = noon - 10_800_000;
  assert.is(record(causes, [crash(2, { lastAt: isoTime(earlier) })], earlier).causes[0]?.count, 2);
});

spec('what was given up keeps a cause that is over as resolved, until it is retried', () => {
  const { causes } = record([], [crash(1)], noon, true);
  const { causes: over } = record(causes, [], noon + 60_000, true);
  assert.equal(
    over.map(({ reason, gaveUp, resolved }) => [reason, gaveUp, resolved]),
    [['CrashLoop', true, true]],
  );
  assert.equal(record(over, [crash(9)], noon + 90_000, true).causes[0]?.resolved, undefined);
  assert.equal(record(over, [], noon + 120_000).causes, []);
});

spec('what was given up for a refused write is not called resolved, as nothing is tried any more', () => {
  const refused: FoundCause = { reason: 'ClusterRefused', message: open('the cluster refuses to write it'), on };
  const { causes } = record([], [refused], noon, true);
  const { causes: later } = record(causes, [], noon + 60_000, true);
  assert.equal([later[0]?.gaveUp, later[0]?.resolved], [true, undefined]);
});

spec('what was given up for a namespace is resolved once that is deleted no more, and not while it is', () => {
  const on = { kind: 'Namespace', name: 'shop-staging', namespace: '' };
  const hangs: FoundCause = { reason: 'NamespaceTerminating', message: open('it is being deleted'), on };
  let terminating = 'shop-staging';
  const later = (before: readonly StoredCause[], now: number) =>
    recordedCauses(before, { found: [], gaveUp: true }, now, { isTerminating: (name) => name === terminating }).causes;
  const lasts = later(record([], [hangs], noon, true).causes, noon + 60_000);
  assert.equal([lasts[0]?.gaveUp, lasts[0]?.resolved], [true, undefined]);
  terminating = 'shop-test';
  const over = later(lasts, noon + 120_000);
  assert.equal([over[0]?.gaveUp, over[0]?.resolved, over[0]?.since], [true, true, isoTime(noon)]);
  terminating = 'shop-staging';
  assert.is(later(over, noon + 180_000)[0]?.resolved, undefined, 'it is deleted again');
});

spec('what is given up while another object only starts is over as well', () => {
  const { causes } = record([], [crash(1)], noon, true);
  const starting: FoundCause = { reason: 'CopiesStarting', message: open('0 of 1 copies are ready'), on };
  assert.equal(
    record(causes, [starting], noon + 60_000, true).causes.map(({ reason, resolved }) => [reason, resolved]),
    [
      ['CrashLoop', true],
      ['CopiesStarting', undefined],
    ],
  );
});

spec('a message becomes one line of at most 300 characters, of which each role reads its part', () => {
  const message = sentence('image "{image}" cannot be pulled: {why}', {
    image: hidden('shop\nweb'),
    why: hidden(`no\u0007${'x'.repeat(400)}`),
  });
  const [cause] = record([], [{ reason: 'ImagePullFailed', message, on }]).causes;
  assert.is(cause?.message.length, causeLength);
  assert.ok(!/\p{Cc}/u.test(cause?.message ?? '\n'));
  const stored = { text: cause?.message ?? '', params: cause?.params };
  assert.is(textFor(stored, 'viewer'), 'image "…" cannot be pulled: ……');
});

const anyFound = fc
  .array(
    fc.record({
      reason: fc.constantFrom(...(Object.keys(reasons) as CauseReason[])),
      of: fc.constantFrom('Ready' as const, 'Backups' as const, 'Deletion' as const),
      message: fc.string({ maxLength: 500 }).map((text) => sentence('it fails: {text}', { text: hidden(text) })),
      on: fc.record({ kind: fc.constantFrom('Pod', 'Secret'), name: fc.string(), namespace: fc.string() }),
      count: fc.option(fc.nat(), { nil: undefined }),
    }),
    { maxLength: 20 },
  )
  .map((all) => all.map(({ count, ...cause }): FoundCause => (count === undefined ? cause : { ...cause, count })));

spec('any findings become at most eight causes, the worst first, and the same findings change nothing', () => {
  const worst = ['failure', 'waiting', 'progress', 'note'];
  fc.assert(
    fc.property(anyFound, anyFound, fc.boolean(), (before, found, gaveUp) => {
      const { causes: stored } = record([], before);
      const { causes } = record(stored, found, noon + 90_000, gaveUp);
      assert.ok(causes.length <= causesKept);
      const ranks = causes.map(({ severity }) => worst.indexOf(severity));
      assert.equal(
        ranks,
        ranks.toSorted((a, b) => a - b),
      );
      assert.ok(causes.every(({ message }) => message.length <= causeLength && !/[\n\r\u2028]/u.test(message)));
      assert.ok(causes.every(({ since }) => msOf(since) <= noon + 90_000));
      assert.equal(record(causes, found, noon + 90_500, gaveUp).causes, causes);
    }),
  );
});

spec.run();

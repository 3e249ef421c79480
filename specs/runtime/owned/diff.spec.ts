import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import {
  type Diff,
  dueOf,
  emptyDiff,
  isInSync,
  isPendingInCache,
  owned,
  type Ref,
} from '../../../runtime/owned/owned.ts';
import { displayName } from '../../../runtime/owned/displayName.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('the diff of owned objects');

// Each name begins the next one, and two kinds share them.
const refs: readonly Ref[] = [owned.secrets, owned.services].flatMap((resource) =>
  ['db', 'db-2', 'db-2-secret'].map((name) => ({ resource, namespace: 'shop-live', name })),
);
const some = fc.subarray([...refs]);

const diffs: fc.Arbitrary<Diff> = fc.record({
  absent: some,
  stale: some,
  terminating: some,
  toPrune: some,
  pendingInCache: some,
  unmanaged: some.map((those) => those.map((ref) => ({ ref, reason: { is: 'notOurs' as const } }))),
  overwritten: some.map((those) => those.map((ref) => ({ ref, by: '"kubectl"' }))),
});

spec('each object is judged alone, although its name begins the name of another', () => {
  fc.assert(
    fc.property(diffs, some, (diff, except) => {
      for (const ref of refs) {
        const isOverwritten = diff.overwritten.some((one) => one.ref === ref);
        const isApplied = !diff.absent.includes(ref) && !diff.stale.includes(ref);
        const isOther =
          diff.terminating.includes(ref) || diff.toPrune.includes(ref) || diff.unmanaged.some((one) => one.ref === ref);
        const isDue = !except.includes(ref) && (isOther || (!isApplied && !isOverwritten));
        assert.is(dueOf(diff, except).includes(ref), isDue, displayName(ref));
      }
    }),
  );
});

spec('two Refs with equal addresses are the same object', () => {
  const [one] = refs;
  if (one === undefined) return assert.unreachable('there are objects');
  assert.equal(dueOf({ ...emptyDiff, stale: [one] }, [{ ...one }]), []);
  assert.equal(dueOf({ ...emptyDiff, stale: [one] }, [{ ...one, namespace: 'shop-test' }]), [one]);
  return assert.equal(dueOf({ ...emptyDiff, stale: [one] }, [{ ...one, resource: owned.services }]), [one]);
});

spec('an owner is in sync exactly when every list of its diff is empty', () => {
  fc.assert(
    fc.property(diffs, (diff) => {
      const differs = [diff.absent, diff.stale, diff.terminating, diff.toPrune, diff.unmanaged].some(
        (list) => list.length > 0,
      );
      assert.is(isInSync(diff), !differs);
      assert.is(
        isPendingInCache(diff, owned.secrets),
        diff.pendingInCache.some(({ resource }) => resource === owned.secrets),
      );
    }),
  );
});

spec.run();

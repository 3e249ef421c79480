import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { definitionsToApply, isRelease, oldestRelease } from '../../rules/kindsRelease.ts';
import { suite } from '../support/suite.ts';

const spec = suite('the release of the kinds');

/** Releases, the oldest first. */
const inOrder = [
  'v0.9.9',
  'v0.10.0',
  'v1.0.0-alpha',
  'v1.0.0-alpha.1',
  'v1.0.0-alpha.beta',
  'v1.0.0-beta',
  'v1.0.0-beta.2',
  'v1.0.0-beta.11',
  'v1.0.0-rc.1',
  'v1.0.0-rc-1.0',
  'v1.0.0',
  'v1.0.9',
  'v1.2.0-9',
  'v1.2.0-10',
  'v1.2.0',
  'v2.0.0',
  'v10.0.0',
  'v90071992547409930.0.0',
  'v90071992547409931.0.0',
];

spec('kinds of any earlier release, and only those, are older than the program', () => {
  inOrder.forEach((program, at) =>
    inOrder.forEach((kinds, kindsAt) => {
      const file = kindsAt < at ? `crds-${program.slice(1)}.yaml` : null;
      assert.is(definitionsToApply({ program, kinds }), file, `${kinds} for ${program}`);
    }),
  );
});

spec('nothing is compared with a development build, or without a release of the kinds', () => {
  for (const program of ['dev', '', '1.2.0', 'v1.2', 'v1.2.0+7', 'v1.2.0-', 'vv1.2.0'])
    for (const kinds of ['v0.1.0', 'v9.0.0', null])
      assert.is(definitionsToApply({ program, kinds }), null, `${kinds} for ${program}`);
  for (const kinds of ['dev', '', '1.1.0', 'latest', null])
    assert.is(definitionsToApply({ program: 'v1.2.0', kinds }), null, String(kinds));
  assert.equal(['v1.2.0', 'v1.2.0-rc.1', 'dev', '1.2.0'].map(isRelease), [true, true, false, false]);
});

spec('definitions of several releases are of the oldest, in any order, and those without one do not count', () => {
  const named = fc.subarray(inOrder, { minLength: 1 });
  fc.assert(
    fc.property(named, fc.infiniteStream(fc.nat()), fc.subarray(['', 'dev', '1.0.0']), (some, weights, others) => {
      const mixed = [...some, ...others]
        .map((text) => ({ text, weight: weights.next().value as number }))
        .toSorted((a, b) => a.weight - b.weight)
        .map(({ text }) => text);
      assert.is(oldestRelease(mixed), some[0]);
    }),
  );
  assert.is(oldestRelease([]), null);
  assert.is(oldestRelease(['', 'dev']), null);
});

spec.run();

import * as assert from 'uvu/assert';
import { fuzz, type Outcome } from '../fuzz/fuzz.ts';
import { suite } from '../support/suite.ts';

const spec = suite('planted mistakes in the fuzz');

const faultsOf = ({ findings, unexpected }: Outcome) => [...findings.flatMap(({ faults }) => faults), ...unexpected];

/** Each mistake is planted where the usage of a service is read. */
const planted: readonly (readonly [plant: string, found: RegExp])[] = [
  ['listener missing', /^\d+ errors that nobody caught: .*"route":"\/api\/v1\/apps\/:app\/metrics".*ENOENT/],
  ['ends the process', /^the process ended with 3/],
  ['keeps others waiting', /^others waited for it$/],
  ['changes what it reads', /^it changed CoreApp core-system\/shop$/],
  ['changes when it refuses', /^it changed CoreApp core-system\/shop$/],
];

for (const [plant, found] of planted)
  spec(`SEC-004 the fuzz finds a planted mistake: ${plant}`, async () => {
    const faults = faultsOf(
      await fuzz({ runs: 1, wellFormed: 12, enough: 1, seed: 3, plant, only: '/apps/{app}/metrics' }),
    );
    assert.ok(
      faults.some((fault) => found.test(fault)),
      JSON.stringify(faults),
    );
  });

spec.run();

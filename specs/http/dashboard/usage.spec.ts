import * as assert from 'uvu/assert';
import { aligned, amount, summed } from '../../../http/dashboard/model/usage.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('usage texts');

spec('a value is shown with three significant figures and a fitting unit', () => {
  assert.is(amount(0.2504, 'cores'), '0.25 cores');
  assert.is(amount(1, 'cores'), '1 core');
  assert.is(amount(0, 'bytes'), '0 B');
  assert.is(amount(1_536, 'bytes'), '1.5 KiB');
  assert.is(amount(134_217_728, 'bytes'), '128 MiB');
  assert.is(amount(999, 'bytes a second'), '999 B/s');
  assert.is(amount(12_345, 'bytes a second'), '12.3 kB/s');
  assert.is(amount(0.5, 'bytes a second'), '0.5 B/s');
  assert.is(amount(2 ** 42, 'bytes'), '4 TiB');
  assert.is(amount(3.14159, 'requests a second'), '3.14/s');
  assert.is(amount(0.000012345, 'cores'), '0.0000123 cores');
});

spec('a series is summarised by its newest value and range', () => {
  assert.equal(summed([{ v: 2 }, { v: 1 }, { v: 3 }, { v: 2.5 }]), { newest: 2.5, min: 1, max: 3 });
  assert.is(summed([]), null);
});

spec('series of one chart share their times, with null for missing values', () => {
  const sent = [
    { t: 10, v: 1 },
    { t: 30, v: 3 },
  ];
  const received = [{ t: 20, v: 2 }];
  assert.equal(aligned([sent, received]), [
    [10, 20, 30],
    [1, null, 3],
    [null, 2, null],
  ]);
  assert.equal(aligned([[]]), [[], []]);
});

spec.run();

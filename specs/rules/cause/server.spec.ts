import * as assert from 'uvu/assert';
import type { Copies } from '../../../rules/cause/copies.ts';
import { causesOfServer } from '../../../rules/cause/server.ts';
import { suite } from '../../support/suite.ts';
import { lineOf, now, unpulledPod, unscheduledPod } from './told.ts';

const spec = suite('the causes of a server with volumes');

const copies = (...pods: Copies['pods']): Copies => ({
  on: { kind: 'StatefulSet', name: 'orders', namespace: 'shop-live' },
  owners: [],
  wanted: 1,
  pods,
  volumeEvent: () => undefined,
  secrets: () => [],
  now,
});
const claim = (isBound: boolean) => [
  { on: { kind: 'PersistentVolumeClaim', name: 'data-orders-0', namespace: 'shop-live' }, isBound },
];
const lines = (of: Copies, isBound: boolean) => causesOfServer(of, claim(isBound)).map(lineOf);

spec('DB-192 DB-193 DB-194 a claim that is not bound precedes copies that start', () => {
  assert.equal(lines(copies(), false), [
    'progress VolumePending on PersistentVolumeClaim data-orders-0: volume claim "data-orders-0" is not bound',
  ]);
  assert.equal(lines(copies(), true), ['progress CopiesStarting on StatefulSet orders: 0 of 1 copies are ready']);
});

spec('the scheduler tells why a volume is missing', () => {
  const why = '0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims';
  assert.equal(lines(copies(unscheduledPod(why)), false), [
    `progress VolumePending on PersistentVolumeClaim data-orders-0: volume claim "data-orders-0" is not bound: no node takes the copy: ${why}`,
  ]);
});

spec('a claim that waits for its first consumer is no cause where no node takes that, nor beside a bad image', () => {
  assert.match(lines(copies(unscheduledPod('insufficient cpu')), false)[0] ?? '', /^failure Unschedulable/);
  assert.match(lines(copies(unpulledPod), false)[0] ?? '', /^failure ImagePullFailed/);
});

spec.run();

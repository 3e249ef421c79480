import * as assert from 'uvu/assert';
import { createEvents } from '../../../../runtime/embedded/nodes/events.ts';
import type { Stored } from '../../../../runtime/embedded/store.ts';
import { suite } from '../../../support/suite.ts';
import { manualClock } from './manualClock.ts';
import { memoryStore } from './memoryStore.ts';

const events = suite('Kubernetes Events');
const told = { type: 'Warning', reason: 'BackOff', message: 'Back-off restarting failed container' } as const;

async function world() {
  const clock = manualClock();
  const store = memoryStore(clock.now);
  const place = { bucket: '/pods', namespace: 'core-system', name: 'web' };
  const pod: Stored = await store.create(place, { apiVersion: 'v1', kind: 'Pod' });
  return { clock, store, pod, events: createEvents(store, clock) };
}

events('a repeated Event is counted, a different one is added', async () => {
  const { clock, store, pod, events } = await world();
  events.record('kubelet', pod, told);
  events.record('kubelet', pod, told);
  await events.settled();
  await clock.turn(60);
  events.record('kubelet', pod, told);
  events.record('kubelet', pod, { ...told, reason: 'Started' });
  await events.settled();
  const [counted, ...others] = store.list('/events').filter((event) => event['reason'] === 'BackOff');
  assert.is(others.length, 0);
  assert.is(counted?.['count'], 3);
  assert.is(counted?.['firstTimestamp'], '2030-01-01T00:00:00Z');
  assert.is(counted?.['lastTimestamp'], '2030-01-01T00:01:00Z');
  assert.is((counted?.['involvedObject'] as Stored['metadata'] | undefined)?.uid, pod.metadata.uid);
  assert.is(store.list('/events').length, 2);
});

events('an Event that cannot be written is left out', async () => {
  const { store, pod, events } = await world();
  store.gate = () => {
    throw new Error('the disk is full');
  };
  events.record('kubelet', pod, told);
  await events.settled();
  assert.is(store.list('/events').length, 0);
});

events.run();

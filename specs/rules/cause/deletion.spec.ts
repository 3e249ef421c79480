import * as assert from 'uvu/assert';
import { causesOfRemaining } from '../../../rules/cause/deletion.ts';
import { textFor } from '../../../rules/words.ts';
import { suite } from '../../support/suite.ts';
import { lineOf } from './told.ts';

const spec = suite('what a deletion waits for');

const left = (kind: string, name: string, finalizers: readonly string[] = []) => ({
  on: { kind, name, namespace: 'shop-live' },
  finalizers,
});

spec('OBS-041 DB-142b what a finalizer holds is named first, with how much more is left', () => {
  const [cause] = causesOfRemaining([left('Deployment', 'a'), left('Service', 'b', ['example.com/hold'])]);
  assert.is(cause?.of, 'Deletion');
  assert.is(
    cause && lineOf(cause),
    'waiting DeletionWaits on Service b: Service "b" is still there and 1 more; example.com/hold holds it',
  );
});

spec('without finalizers the first object by kind and name is named, in whatever order they come', () => {
  const both = [left('Service', 'b'), left('Deployment', 'a')];
  assert.equal(causesOfRemaining(both), causesOfRemaining(both.toReversed()));
  assert.is(causesOfRemaining(both)[0]?.on.name, 'a');
  assert.equal(causesOfRemaining([]), []);
});

spec('SVC-047 an object whose own deletion was asked for reports since when', () => {
  const since = '2026-07-01T12:00:00Z';
  const held = causesOfRemaining([{ ...left('Service', 'b', ['example.com/hold']), since }])[0];
  assert.is(held?.message.text, `Service "b" is still there; example.com/hold holds it since ${since}`);
  const going = causesOfRemaining([{ ...left('Service', 'b'), since }])[0];
  assert.is(going?.message.text, `Service "b" is still there since ${since}`);
});

spec('a viewer reads neither its name nor its finalizers', () => {
  const [cause] = causesOfRemaining([left('Service', 'secret-name', ['example.com/hold'])]);
  assert.is(cause && textFor(cause.message, 'viewer'), 'Service "…" is still there; … holds it');
});

spec.run();

import * as assert from 'uvu/assert';
import { suite } from '../../../support/suite.ts';
import { unless } from '../../../support/unless.ts';
import { started } from '../started.ts';
import { type Client, clientOf } from './wire/client.ts';
import { expectedOf } from './wire/expected.ts';
import { differing, knownToDiffer } from './wire/left.ts';
import { declare, play, undeclare } from './wire/play.ts';
import { scenes } from './wire/scenes/all.ts';

/** A cluster beside ours that the same is asked of: the judge of what is expected. */
const judge = process.env['CORE_CONFORMANCE_KUBECONFIG'] ?? '';

const left = knownToDiffer();
const told = (value: unknown) => JSON.stringify(value, null, 1);

const ours = suite('answers of the embedded API server against recorded ones');
let client: Client;
let end: () => Promise<void>;

ours.before(async () => {
  const api = await started();
  client = await clientOf(api.kubeconfigPath);
  end = api.end;
  await declare(client);
});
ours.after(async () => {
  client.end();
  await end();
});

for (const [name, of] of Object.entries(scenes)) {
  const expected = expectedOf(name);
  for (const scene of of)
    ours(`${name}: ${scene.title}`, async () => {
      const answers = await play(client, scene);
      const wanted = expected[scene.title] ?? [];
      const known = left[`${name}: ${scene.title}`] ?? [];
      const isCompared = (_: unknown, step: number) => !known.includes(step);
      assert.fixture(told(answers.filter(isCompared)), told(wanted.filter(isCompared)));
      assert.equal(
        differing(answers, wanted),
        known,
        'what is left is less: `tsx specs/runtime/embedded/conformance/wire/record.ts`',
      );
    });
}
ours.run();

const theirs = suite('answers of a real API server against recorded ones');
const test = unless(theirs, judge === '' ? 'CORE_CONFORMANCE_KUBECONFIG names no cluster' : null);
let other: Client | null = null;

theirs.before(async () => {
  if (judge === '') return;
  other = await clientOf(judge);
  await declare(other);
});
theirs.after(async () => {
  if (other === null) return;
  await undeclare(other);
  other.end();
});

for (const [name, of] of Object.entries(scenes))
  for (const scene of of)
    test(`${name}: ${scene.title}`, async () => {
      if (other) assert.fixture(told(await play(other, scene)), told(expectedOf(name)[scene.title]));
    });
theirs.run();

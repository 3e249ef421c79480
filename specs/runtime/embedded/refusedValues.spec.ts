import * as assert from 'uvu/assert';
import { readFileSync } from 'node:fs';
import type { Json } from '../../../runtime/embedded/api/json.ts';
import { listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { clientOf } from './conformance/wire/client.ts';
import { suite } from '../../support/suite.ts';
import { pathOf } from './pathOf.ts';
import { started } from './started.ts';

interface Refused {
  readonly given: Json;
  readonly told: readonly string[];
}

const textOf = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
/** Objects that a kube-apiserver 1.36 refused, with the faults that it told; with none, those that it took. */
const refused = [
  ...(JSON.parse(textOf('refusedValues.json')) as readonly Refused[]),
  ...textOf('refusedTemplates.ndjson')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Refused),
];

const spec = suite('recorded refusals of a real API server');
let api: Awaited<ReturnType<typeof started>>;
let client: Awaited<ReturnType<typeof clientOf>>;

spec.before(async () => {
  api = await started();
  client = await clientOf(api.kubeconfigPath);
});
spec.after(async () => {
  client.end();
  await api.end();
});

for (const [index, { given, told }] of refused.entries())
  spec(
    `value ${index}, of a ${textAt(given, 'kind')}, gets the recorded answer: ${told[0] ?? 'accepted'}`,
    async () => {
      const { code, body } = await client.send({ method: 'POST', path: `${pathOf(given)}?dryRun=All`, body: given });
      const causes = listAt(body, 'details', 'causes').map(
        (one) => `${textAt(one, 'field')}: ${textAt(one, 'message')}`,
      );
      assert.is(code, told.length > 0 ? 422 : 201);
      assert.equal(causes.toSorted(), [...told]);
    },
  );

spec.run();

import * as assert from 'uvu/assert';
import { readFileSync } from 'node:fs';
import type { Json } from '../../../runtime/embedded/api/json.ts';
import { listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { clientOf } from './conformance/wire/client.ts';
import { suite } from '../../support/suite.ts';
import { started } from './started.ts';

interface Refused {
  readonly given: Json;
  readonly told: readonly string[];
}

/** Objects that a kube-apiserver 1.36 refused, with the faults that it told. */
const refused = JSON.parse(readFileSync(new URL('refusedValues.json', import.meta.url), 'utf8')) as readonly Refused[];

const spec = suite('what a real API server refuses, with its words');
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

const clusterWide = ['Namespace', 'Node', 'PriorityClass', 'StorageClass', 'ClusterRole'];
const plurals: Readonly<Record<string, string>> = {
  Ingress: 'ingresses',
  PriorityClass: 'priorityclasses',
  StorageClass: 'storageclasses',
  Endpoints: 'endpoints',
};

function pathOf(object: Json): string {
  const version = textAt(object, 'apiVersion');
  const kind = textAt(object, 'kind');
  const plural = plurals[kind] ?? `${kind.toLowerCase().replace(/y$/, 'ie')}s`;
  const root = version === 'v1' ? '/api/v1' : `/apis/${version}`;
  return `${root}${clusterWide.includes(kind) ? '' : '/namespaces/default'}/${plural}?dryRun=All`;
}

for (const [index, { given, told }] of refused.entries())
  spec(`${index}, ${textAt(given, 'kind')}: ${told[0]}`, async () => {
    const { code, body } = await client.send({ method: 'POST', path: pathOf(given), body: given });
    const causes = listAt(body, 'details', 'causes').map((one) => `${textAt(one, 'field')}: ${textAt(one, 'message')}`);
    assert.is(code, 422);
    assert.equal(causes.toSorted(), [...told]);
  });

spec.run();

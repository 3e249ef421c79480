import * as assert from 'uvu/assert';
import { definition } from '../../../runtime/embedded/api/published/definitions.ts';
import { publishedFaults } from '../../../runtime/embedded/api/published/faults.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('faults of built-in kinds by their published schemas');

const core = 'io.k8s.api.core.v1';
const pod = (...containers: readonly object[]) => ({ apiVersion: 'v1', kind: 'Pod', spec: { containers } });
const faultsOf = (object: Parameters<typeof publishedFaults>[1]) =>
  publishedFaults(`${core}.Pod`, object).map(({ field, reason }) => `${field} ${reason}`);

spec('faults of a value list missing fields first, then invalid ones in the order of fields', () => {
  assert.equal(faultsOf(pod({ name: 'a' })), []);
  assert.equal(
    faultsOf({
      ...pod(
        { env: [{}, { name: '' }], imagePullPolicy: 'Later', ports: [{ containerPort: 1, protocol: 'IP' }] },
        { name: 'b', imagePullPolicy: '', readinessProbe: { httpGet: { port: 1, httpHeaders: [{ value: '' }] } } },
      ),
      status: { phase: 'Odd' },
    }),
    [
      'spec.containers[0].name FieldValueRequired',
      'spec.containers[0].env[0].name FieldValueRequired',
      'spec.containers[0].env[1].name FieldValueRequired',
      'spec.containers[0].imagePullPolicy FieldValueNotSupported',
      'spec.containers[0].ports[0].protocol FieldValueNotSupported',
      'spec.containers[1].readinessProbe.httpGet.httpHeaders[0].name FieldValueRequired',
    ],
  );
});

spec('the required fields of a type are collected once for any number of values', () => {
  const found = definition(`${core}.ConfigMapEnvSource`);
  if (!found) throw new Error('no such type is published');
  const { required } = found;
  let reads = 0;
  Object.defineProperty(found, 'required', { get: () => (reads++, required), configurable: true });
  const envFrom = Array.from({ length: 20 }, () => ({ configMapRef: { name: 'a' } }));
  assert.equal([faultsOf(pod({ name: 'a', envFrom })), faultsOf(pod({ name: 'a', envFrom }))], [[], []]);
  Object.defineProperty(found, 'required', { value: required });
  assert.is(reads, 1);
});

spec.run();

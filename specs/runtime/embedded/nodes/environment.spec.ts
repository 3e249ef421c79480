import * as assert from 'uvu/assert';
import { unset } from '../../../../runtime/embedded/nodes/podSources.ts';
import { filledIn, withDeclared } from '../../../../runtime/embedded/nodes/shell/environment.ts';
import type { Pod } from '../../../../runtime/embedded/nodes/shapes.ts';
import { suite } from '../../../support/suite.ts';
import { memoryStore } from './memoryStore.ts';

const spec = suite('the environment of a container');
const store = memoryStore(Date.now);
const named = (bucket: string, name: string) => ({ bucket, namespace: 'shop', name });

const podOf = (container: object): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: 'u',
    resourceVersion: '1',
    creationTimestamp: '2030-01-01T00:00:00Z',
  },
  spec: { containers: [{ name: 'main', image: 'web:1', ...container }] },
  status: { hostIP: '192.0.2.1' },
});
const environmentOf = (container: object) => {
  const pod = podOf(container);
  return Object.fromEntries(withDeclared(new Map(), store, pod, pod.spec?.containers?.[0]));
};

spec.before(async () => {
  await store.create(named('/configmaps', 'settings'), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    data: { colour: '$(A) red' },
    binaryData: { logo: 'AAEC' },
  });
  await store.create(named('/secrets', 'keys'), {
    apiVersion: 'v1',
    kind: 'Secret',
    data: { password: Buffer.from('p$(A)$$w').toString('base64') },
  });
});

spec('$$ becomes a dollar sign, and $(NAME) the value of an earlier variable', () => {
  const known = new Map([['A', 'a']]);
  const filled: readonly (readonly [string, string])[] = [
    ['$(A)', 'a'],
    ['$$(A)', '$(A)'],
    ['$$$(A)', '$a'],
    ['echo $$', 'echo $'],
    ['$(NONE) $B $( $', '$(NONE) $B $( $'],
  ];
  for (const [text, expected] of filled) assert.is(filledIn(text, known), expected, text);
});

spec('values of a Secret, a ConfigMap or the pod are not expanded', () => {
  const env = [
    { name: 'A', value: 'a' },
    { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'keys', key: 'password' } } },
    { name: 'COLOUR', valueFrom: { configMapKeyRef: { name: 'settings', key: 'colour' } } },
    { name: 'HOSTS', valueFrom: { fieldRef: { fieldPath: 'status.hostIPs' } } },
    { name: 'BOTH', value: '$(PASSWORD) $(A)' },
  ];
  assert.equal(environmentOf({ env }), {
    A: 'a',
    PASSWORD: 'p$(A)$$w',
    COLOUR: '$(A) red',
    HOSTS: '192.0.2.1',
    BOTH: 'p$(A)$$w a',
  });
});

spec('binary data of a ConfigMap is not a variable', () => {
  assert.equal(environmentOf({ envFrom: [{ configMapRef: { name: 'settings' } }] }), { colour: '$(A) red' });
  const env = [{ name: 'LOGO', valueFrom: { configMapKeyRef: { name: 'settings', key: 'logo' } } }];
  const pod = podOf({ env });
  const [container] = pod.spec?.containers ?? [];
  assert.is(container && unset(store, pod, container), `couldn't find key logo in ConfigMap shop/settings`);
});

spec.run();

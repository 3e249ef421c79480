import * as assert from 'uvu/assert';
import { serviceVariables } from '../../../../runtime/embedded/nodes/podman/serviceVariables.ts';
import type { Pod } from '../../../../runtime/embedded/nodes/shapes.ts';
import { suite } from '../../../support/suite.ts';
import { memoryStore } from './memoryStore.ts';

const spec = suite('the variables of Services');

const pod = (more: { readonly enableServiceLinks?: boolean } = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'shop', uid: 'p', resourceVersion: '1', creationTimestamp: '2030-01-01T00:00:00Z' },
  spec: { containers: [{ name: 'main' }], ...more },
});

spec(
  'a pod gets the address of the API, and of Services in its namespace unless service links are disabled',
  async () => {
    const store = memoryStore(Date.now);
    const service = (namespace: string, name: string, clusterIP: string, ...ports: readonly object[]) =>
      store.create(
        { bucket: '/services', namespace, name },
        { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace }, spec: { clusterIP, ports } },
      );
    await service('default', 'kubernetes', '10.96.0.1', { name: 'https', port: 443, protocol: 'TCP' });
    await service('shop', 'my-own-web', '10.96.1.1', { port: 80 }, { name: 'names', port: 53, protocol: 'UDP' });
    await service('shop', 'headless', 'None', { port: 80 });
    await service('other', 'web', '10.96.1.2', { port: 80 });
    const api = {
      KUBERNETES_SERVICE_HOST: '10.96.0.1',
      KUBERNETES_SERVICE_PORT: '443',
      KUBERNETES_SERVICE_PORT_HTTPS: '443',
      KUBERNETES_PORT: 'tcp://10.96.0.1:443',
      KUBERNETES_PORT_443_TCP: 'tcp://10.96.0.1:443',
      KUBERNETES_PORT_443_TCP_PROTO: 'tcp',
      KUBERNETES_PORT_443_TCP_PORT: '443',
      KUBERNETES_PORT_443_TCP_ADDR: '10.96.0.1',
    };
    assert.equal(Object.fromEntries(serviceVariables(store, pod({ enableServiceLinks: false }))), api);
    const { MY_OWN_WEB_PORT_80_TCP_ADDR: address, ...linked } = Object.fromEntries(serviceVariables(store, pod()));
    assert.is(address, '10.96.1.1');
    assert.equal(
      Object.keys(linked).filter((name) => !name.startsWith('KUBERNETES_')),
      [
        'MY_OWN_WEB_SERVICE_HOST',
        'MY_OWN_WEB_SERVICE_PORT',
        'MY_OWN_WEB_SERVICE_PORT_NAMES',
        'MY_OWN_WEB_PORT',
        'MY_OWN_WEB_PORT_80_TCP',
        'MY_OWN_WEB_PORT_80_TCP_PROTO',
        'MY_OWN_WEB_PORT_80_TCP_PORT',
        'MY_OWN_WEB_PORT_53_UDP',
        'MY_OWN_WEB_PORT_53_UDP_PROTO',
        'MY_OWN_WEB_PORT_53_UDP_PORT',
        'MY_OWN_WEB_PORT_53_UDP_ADDR',
      ],
    );
  },
);

spec.run();

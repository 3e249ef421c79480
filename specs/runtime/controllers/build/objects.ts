import { coreGitHostConnection } from '../../../../crds/coreGitHostConnection.ts';
import { coreObjectStore } from '../../../../crds/coreObjectStore.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { annotation, systemNamespace } from '../../../../crds/names.ts';
import { connections, objectStores } from '../../../../runtime/services/cluster/kinds.ts';
import { jobs, secrets } from '../../../../runtime/services/cluster/resources.ts';
import type { TestEnvironment } from '../../../support/environment.ts';

const inSystem = (name: string) => ({ name, namespace: systemNamespace });
const encoded = (text: string) => Buffer.from(text).toString('base64');

/** A connection to the Git host with a token that nobody renews: Ready after its first pass. */
export function connect(environment: TestEnvironment): void {
  environment.cluster.put(secrets, {
    metadata: inSystem('host-token'),
    data: { token: encoded('token-of-the-git-host') },
  });
  environment.cluster.put(connections, {
    ...typeMeta(coreGitHostConnection),
    metadata: inSystem('host'),
    spec: { secretRef: { name: 'host-token' } },
  } as never);
}

export function withStore(environment: TestEnvironment): void {
  environment.cluster.put(secrets, {
    metadata: inSystem('logs-keys'),
    data: { ACCESS_KEY_ID: encoded('key-of-the-store'), ACCESS_SECRET_KEY: encoded('secret-of-the-store') },
  });
  environment.cluster.put(objectStores, {
    ...typeMeta(coreObjectStore),
    metadata: inSystem('logs'),
    spec: { mode: 'Bucket', deploy: { enabled: true } },
    status: {
      bucket: 'logs',
      endpoint: 'https://store.example',
      credentialSecret: 'logs-keys',
      conditions: [
        { type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: '2027-01-01T00:00:00Z' },
      ],
    },
  });
}

/** A finished Job left under a build's name; of the given run, if there is one. */
export function leftOver(environment: TestEnvironment, build: string, run?: string): void {
  environment.cluster.put(jobs, {
    metadata: {
      ...inSystem(`${build}-builder`),
      uid: 'left-over',
      ...(run === undefined ? {} : { annotations: { [annotation.run]: run } }),
    },
    spec: {},
    status: { conditions: [{ type: 'Complete', status: 'True' }] },
  });
}

import { coreApp } from '../../../crds/coreApp.ts';
import { coreCluster } from '../../../crds/coreCluster.ts';
import { coreGitHostConnection } from '../../../crds/coreGitHostConnection.ts';
import { coreObjectStore } from '../../../crds/coreObjectStore.ts';
import { corePlatformConfig } from '../../../crds/corePlatformConfig.ts';
import { coreProject } from '../../../crds/coreProject.ts';
import { type Kind, type KubeObject, typeMeta } from '../../../crds/kind.ts';
import { type KindName, kindOf } from '../../../crds/kinds.ts';
import { systemNamespace } from '../../../crds/names.ts';
import { resourceOf, secrets } from '../../../runtime/services/cluster/resources.ts';
import type { TestEnvironment } from '../../support/environment.ts';

/** The object whose spec is written, with the valid spec that it is first created with. */
export interface Subject {
  readonly name: string;
  readonly spec: object;
}

/** One object of each tested kind, all of them consistent with each other. */
export const good = {
  CoreCluster: { name: 'local', spec: {} },
  CoreProject: {
    name: 'demo',
    spec: { clusterRef: { name: 'local' }, environments: ['production'], gitConnectionRef: { name: 'host' } },
  },
  CoreGitHostConnection: {
    name: 'host',
    spec: { project: 'demo', secretRef: { name: 'host-token' }, installationID: 7 },
  },
  CorePlatformConfig: {
    name: 'platform',
    spec: { registry: { repository: 'registry.local/apps' }, gitAppRef: { name: 'git-app' } },
  },
  CoreObjectStore: { name: 'logs', spec: { mode: 'Bucket', deploy: { enabled: true } } },
  CoreApp: {
    name: 'shop',
    spec: {
      project: 'demo',
      environment: 'production',
      source: { git: { repository: 'demo/shop', commit: 'c'.repeat(40) } },
      build: { logStoreRef: { name: 'logs' } },
      deploy: { enabled: true },
    },
  },
  CoreBuild: {
    name: 'built',
    spec: {
      app: 'till',
      project: 'demo',
      environment: 'production',
      repository: 'demo/till',
      revision: 'c'.repeat(40),
      registry: 'registry.local/apps/till',
    },
  },
} as const satisfies Readonly<Partial<Record<KindName, Subject>>>;

export type ActedOn = keyof typeof good;
export const actedOn = Object.keys(good) as readonly ActedOn[];

const kindsInOrder: readonly Kind[] = [
  coreCluster,
  coreObjectStore,
  corePlatformConfig,
  coreGitHostConnection,
  coreProject,
];

const inSystem = (name: string) => ({ name, namespace: systemNamespace });
const encoded = (text: string) => Buffer.from(text).toString('base64');
const storeIsReady = {
  bucket: 'logs',
  endpoint: 'https://store.example',
  credentialSecret: 'logs-keys',
  conditions: [
    { type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: '2027-01-01T00:00:00Z' },
  ],
};

/** An object of a kind with that spec, which may be arbitrary. */
export const objectOf = (kind: KindName, { name, spec }: { readonly name: string; readonly spec: unknown }) =>
  ({ ...typeMeta(kindOf(kind)), metadata: inSystem(name), spec }) as KubeObject;

/** The platform around the object: everything that it may refer to, and a service beside it. */
export function furnish(environment: TestEnvironment, without: ActedOn): void {
  const { cluster } = environment;
  const put = (kind: Kind, { name, spec }: Subject, status?: object) =>
    void cluster.put(resourceOf(kind), {
      ...typeMeta(kind),
      metadata: inSystem(name),
      spec,
      ...(status ? { status } : {}),
    } as KubeObject as never);
  const secret = (name: string, data: Readonly<Record<string, string>>) =>
    cluster.put(secrets, {
      metadata: inSystem(name),
      data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, encoded(text)])),
    });
  secret('host-token', { token: 'token-of-somebody' });
  secret('git-app', { app_id: 'id-of-the-application', private_key: 'key-of-the-application' });
  secret('logs-keys', { ACCESS_KEY_ID: 'key-of-the-store', ACCESS_SECRET_KEY: 'secret-of-the-store' });
  for (const kind of kindsInOrder)
    if (kind.kind !== without)
      put(kind, good[kind.kind as ActedOn], kind === coreObjectStore ? storeIsReady : undefined);
  const { spec } = good.CoreApp;
  put(coreApp, {
    name: 'till',
    spec: { ...spec, source: { git: { repository: 'demo/till', commit: 'd'.repeat(40) } } },
  });
}

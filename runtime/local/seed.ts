import { isDeepStrictEqual } from 'node:util';
import { Effect } from 'effect';
import { coreCluster } from '../../crds/coreCluster.ts';
import { corePlatformConfig, platformConfigName } from '../../crds/corePlatformConfig.ts';
import { type KubeObject, typeMeta } from '../../crds/kind.ts';
import { kinds } from '../../crds/kinds.ts';
import { manifestOf } from '../../crds/manifest.ts';
import { systemNamespace } from '../../crds/names.ts';
import { admission as policies } from '../../crds/admission/all.ts';
import { dashboardPort, dashboardService } from '../../rules/domain/ingress.ts';
import { clusters, platformConfigs } from '../services/cluster/kinds.ts';
import { namespaces, secrets } from '../services/cluster/resources.ts';
import type { ClusterShape, Gone, Resource, WriteError } from '../services/cluster/cluster.ts';
import type { GitApp } from '../gitHost/app.ts';
import type { CloudKey } from './cloud/account.ts';
import { helmChartDefinition } from './addons/definitions.ts';
import { defaultAddons } from './addons/rules.ts';
import { clusterOptions } from './clusterOptions.ts';
import { defaultNodes } from '../embedded/index.ts';

const appSecret = 'platform-git-app';
/** The Secret of a cloud connection to the embedded cloud. */
const cloudSecret = 'local-cloud';
const inSystem = (name: string) => ({ name, namespace: systemNamespace });

const manifests: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const admissionPart = (kind: string, plural: string): Resource => ({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind,
  plural,
  namespaced: false,
});
const admission = {
  ValidatingAdmissionPolicy: admissionPart('ValidatingAdmissionPolicy', 'validatingadmissionpolicies'),
  ValidatingAdmissionPolicyBinding: admissionPart(
    'ValidatingAdmissionPolicyBinding',
    'validatingadmissionpolicybindings',
  ),
};
const services: Resource = { group: '', version: 'v1', kind: 'Service', plural: 'services', namespaced: true };
const configMaps: Resource = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

/** The keys of the embedded Git host and the embedded cloud. */
interface SeedOptions {
  readonly app: GitApp;
  readonly cloudKey: CloudKey;
}

/**
 * Creates the initial objects of the embedded cluster: the kinds and admission policies of this release, and at the
 * first start the namespace, the cluster, the platform's settings, the Git host application and the simulated nodes.
 * Those of the first start are not changed once they exist.
 */
export const seed = (cluster: ClusterShape, { app, cloudKey }: SeedOptions): Effect.Effect<void, WriteError | Gone> =>
  Effect.gen(function* () {
    const missing = (resource: Resource, object: KubeObject) =>
      cluster.create(resource, object).pipe(
        Effect.asVoid,
        Effect.catchTag('AlreadyExists', () => Effect.void),
      );
    yield* missing(namespaces, { metadata: { name: systemNamespace } });
    yield* putAll(cluster, manifests, [...kinds.map(manifestOf), helmChartDefinition]);
    for (const object of policies) yield* putAll(cluster, admission[object.kind], [object]);
    yield* Effect.all(
      [
        missing(clusters, {
          ...typeMeta(coreCluster),
          metadata: inSystem('local'),
          spec: { defaultRegion: 'local', addons: { storage: true } },
        } as KubeObject),
        missing(platformConfigs, {
          ...typeMeta(corePlatformConfig),
          metadata: inSystem(platformConfigName),
          spec: { registry: { repository: 'registry.local/apps' }, gitAppRef: { name: appSecret } },
        } as KubeObject),
        missing(secrets, { metadata: inSystem(appSecret), stringData: credentials(app) } as KubeObject),
        missing(secrets, { metadata: inSystem(cloudSecret), stringData: keysOf(cloudKey) } as KubeObject),
        missing(configMaps, {
          metadata: inSystem('simulated-nodes'),
          data: defaultNodes(clusterOptions.names),
        } as KubeObject),
        missing(services, {
          metadata: inSystem(dashboardService),
          spec: { type: 'ClusterIP', ports: [{ name: 'http', port: dashboardPort }] },
        } as KubeObject),
        missing(configMaps, { metadata: inSystem('simulated-addons'), data: defaultAddons } as KubeObject),
      ],
      { concurrency: 'unbounded', discard: true },
    );
  });

const keysOf = ({ accessKeyId, secret }: CloudKey) => ({ ACCESS_KEY_ID: accessKeyId, ACCESS_SECRET_KEY: secret });

const credentials = (app: GitApp) => ({
  app_id: app.appId,
  client_id: app.clientId,
  client_secret: app.clientSecret,
  slug: app.slug,
  private_key: app.privateKeyPem,
  webhook_secret: app.webhookSecret,
});

/** Creates what is missing and patches what differs: most starts find everything unchanged. */
const putAll = Effect.fnUntraced(function* (cluster: ClusterShape, resource: Resource, wanted: readonly KubeObject[]) {
  const { items } = yield* cluster.list(resource);
  const there = new Map(items.map((object) => [object.metadata.name, object]));
  const put = (object: KubeObject) => {
    const found = there.get(object.metadata.name);
    if (!found) return cluster.create(resource, object);
    return holds(found, object) ? Effect.void : cluster.patch(resource, { name: object.metadata.name }, object);
  };
  yield* Effect.forEach(wanted, put, { concurrency: 8, discard: true });
});

/** Whether a merge patch would change nothing. */
function holds(found: unknown, patch: unknown): boolean {
  if (!isPlain(patch)) return isDeepStrictEqual(found, patch);
  return Object.entries(patch).every(([key, value]) => isPlain(found) && holds(found[key], value ?? undefined));
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

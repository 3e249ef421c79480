import { Clock, Effect } from 'effect';
import { coreCluster } from '../../crds/coreCluster.ts';
import { corePlatformConfig, platformConfigName } from '../../crds/corePlatformConfig.ts';
import { type KubeObject, typeMeta } from '../../crds/kind.ts';
import { kinds } from '../../crds/kinds.ts';
import { manifestOf } from '../../crds/manifest.ts';
import { systemNamespace } from '../../crds/names.ts';
import { requiredNodeTags } from '../../crds/requiredNodeTags.ts';
import { isReady } from '../../rules/condition.ts';
import { isoTime } from '../../rules/time.ts';
import { clusters, platformConfigs } from '../kinds.ts';
import { secrets } from '../resources.ts';
import type { ClusterShape, Resource, WriteError } from '../services/cluster.ts';
import type { GitApp } from './gitApp.ts';
import { defaultNodes } from './nodes/defaults.ts';

const appSecret = 'platform-git-app';
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
const namespaces: Resource = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };
const configMaps: Resource = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

/**
 * What a start puts into the embedded cluster: our kinds and admission policies as this release has them, and at the first start the namespace,
 * the cluster, the platform's settings, the Git host application and the simulated nodes. What is there is left alone.
 */
export const seed = (cluster: ClusterShape, app: GitApp): Effect.Effect<void, WriteError> =>
  Effect.gen(function* () {
    const missing = (resource: Resource, object: KubeObject) =>
      cluster.create(resource, object).pipe(
        Effect.asVoid,
        Effect.catchTag('AlreadyExists', () => Effect.void),
      );
    yield* missing(namespaces, { metadata: { name: systemNamespace } });
    yield* Effect.forEach(kinds, (kind) => put(cluster, manifests, manifestOf(kind)), {
      concurrency: 8,
      discard: true,
    });
    yield* Effect.forEach(requiredNodeTags, (object) => put(cluster, admission[object.kind], object), {
      discard: true,
    });
    yield* Effect.all(
      [
        missing(clusters, {
          ...typeMeta(coreCluster),
          metadata: inSystem('local'),
          spec: { defaultRegion: 'local' },
        } as KubeObject),
        missing(platformConfigs, {
          ...typeMeta(corePlatformConfig),
          metadata: inSystem(platformConfigName),
          spec: { registry: { repository: 'registry.local/apps' }, gitAppRef: { name: appSecret } },
        } as KubeObject),
        missing(secrets, { metadata: inSystem(appSecret), stringData: credentials(app) } as KubeObject),
        missing(configMaps, { metadata: inSystem('simulated-nodes'), data: defaultNodes } as KubeObject),
      ],
      { concurrency: 'unbounded', discard: true },
    );
    yield* markReady(cluster);
  });

const credentials = (app: GitApp) => ({
  app_id: app.appId,
  client_id: app.clientId,
  client_secret: app.clientSecret,
  slug: app.slug,
  private_key: app.privateKeyPem,
  webhook_secret: app.webhookSecret,
});

const put = (cluster: ClusterShape, resource: Resource, object: KubeObject) =>
  cluster
    .create(resource, object)
    .pipe(Effect.catchTag('AlreadyExists', () => cluster.patch(resource, { name: object.metadata.name }, object)));

/** The local cluster is Ready because it runs. */
const markReady = Effect.fnUntraced(function* (cluster: ClusterShape) {
  const local = yield* cluster.get(clusters, { name: 'local' });
  if (isReady(local)) return;
  const lastTransitionTime = isoTime(yield* Clock.currentTimeMillis);
  const ready = { type: 'Ready', status: 'True', reason: 'Embedded', message: 'the embedded cluster runs' };
  yield* cluster.patchStatus(clusters, { name: 'local' }, { conditions: [{ ...ready, lastTransitionTime }] });
});

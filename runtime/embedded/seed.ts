import { coreCluster } from '../../crds/coreCluster.ts';
import { corePlatformConfig, platformConfigName } from '../../crds/corePlatformConfig.ts';
import { typeMeta } from '../../crds/kind.ts';
import { kinds } from '../../crds/kinds.ts';
import { manifestOf } from '../../crds/manifest.ts';
import { systemNamespace } from '../../crds/names.ts';
import type { GitApp } from './gitApp.ts';
import { defaultNodes } from './nodes/defaults.ts';
import type { Place, Store } from './store.ts';

const appSecret = 'platform-git-app';

const inSystem = (bucket: string, name: string): Place => ({ bucket, namespace: systemNamespace, name });
const encoded = (data: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));

const now = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z');

/** What a first start puts into the embedded cluster. What is there already is left as it is, but for our own CRDs. */
export async function seed(
  store: Store,
  app: GitApp,
  putManifest: (manifest: object) => Promise<unknown>,
): Promise<void> {
  const missing = async (place: Place, object: object) => {
    if (!store.get(place)) await store.create(place, object);
  };
  await missing({ bucket: '/namespaces', namespace: '', name: systemNamespace }, namespace());
  for (const kind of kinds) await putManifest(manifestOf(kind));
  await Promise.all([
    missing(inSystem('core.platform/coreclusters', 'local'), {
      ...typeMeta(coreCluster),
      metadata: { name: 'local', namespace: systemNamespace },
      spec: { defaultRegion: 'local' },
      status: {
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            reason: 'Embedded',
            message: 'the embedded cluster runs',
            lastTransitionTime: now(),
          },
        ],
      },
    }),
    missing(inSystem('core.platform/coreplatformconfigs', platformConfigName), {
      ...typeMeta(corePlatformConfig),
      metadata: { name: platformConfigName, namespace: systemNamespace },
      spec: { registry: { repository: 'registry.local/apps' }, gitAppRef: { name: appSecret } },
    }),
    missing(inSystem('/secrets', appSecret), {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'Opaque',
      metadata: { name: appSecret, namespace: systemNamespace },
      data: encoded({
        app_id: app.appId,
        client_id: app.clientId,
        client_secret: app.clientSecret,
        slug: app.slug,
        private_key: app.privateKeyPem,
        webhook_secret: app.webhookSecret,
      }),
    }),
    missing(inSystem('/configmaps', 'simulated-nodes'), {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'simulated-nodes', namespace: systemNamespace },
      data: defaultNodes,
    }),
  ]);
}

const namespace = () => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: systemNamespace, labels: { 'kubernetes.io/metadata.name': systemNamespace } },
  spec: { finalizers: ['kubernetes'] },
  status: { phase: 'Active' },
});

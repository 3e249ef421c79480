import type { CoreDatabase, DatabaseSpec } from '../../crds/coreDatabase.ts';
import { hardenedPod } from '../hardenedPod.ts';
import { podAnnotations, podPlacement } from '../placement.ts';
import { namespaceOf, portOf, resourcesOf, storageSizeOf } from './effective.ts';
import { databaseLabels, selectorLabels } from './labels.ts';
import type { Settled, Workload } from './settled.ts';

export const claimName = (database: string): string => `${database}-sqlite`;

/** The server fills the claim, which outlives its pods and is deleted with the database. */
export function sqliteObjects(database: CoreDatabase, spec: DatabaseSpec, settled: Settled): readonly Workload[] {
  const { name } = database.metadata;
  const metadata = { namespace: namespaceOf(spec), labels: databaseLabels(database, spec) };
  const port = portOf(spec);
  return [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { ...metadata, name: claimName(name) },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: storageSizeOf(spec) } },
        ...(settled.storageClass === '' ? {} : { storageClassName: settled.storageClass }),
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata, name },
      spec: {
        selector: selectorLabels(database),
        ports: [{ name: 'http', port, protocol: 'TCP', targetPort: 'http' }],
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { ...metadata, name },
      spec: {
        replicas: 1,
        // Two pods would share a volume that only one may write to.
        strategy: { type: 'Recreate' },
        selector: { matchLabels: selectorLabels(database) },
        template: podTemplate(database, spec, settled),
      },
    },
  ];
}

const annotated = (annotations: Readonly<Record<string, string>>) =>
  Object.keys(annotations).length === 0 ? {} : { annotations };

function podTemplate(database: CoreDatabase, spec: DatabaseSpec, settled: Settled) {
  const { name } = database.metadata;
  const { placement, requiredTags, images } = settled;
  return {
    metadata: { labels: databaseLabels(database, spec), ...annotated(podAnnotations(requiredTags)) },
    spec: {
      ...podPlacement(placement),
      ...hardenedPod,
      containers: [rqlite(`${name}.${namespaceOf(spec)}.svc`, spec, images.sqliteImage)],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: claimName(name) } }],
    },
  };
}

/**
 * A single-node server: its name and the address of its log stay the same across pods, because it identifies itself by
 * them.
 */
function rqlite(host: string, spec: DatabaseSpec, image: string) {
  const port = portOf(spec);
  return {
    name: 'rqlite',
    image,
    args: [
      '-node-id=1',
      `-http-addr=0.0.0.0:${port}`,
      `-http-adv-addr=${host}:${port}`,
      '-raft-addr=localhost:4002',
      '-raft-adv-addr=localhost:4002',
    ],
    ports: [{ name: 'http', containerPort: port, protocol: 'TCP' }],
    resources: resourcesOf(spec),
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    readinessProbe: { httpGet: { path: '/readyz', port: 'http' }, periodSeconds: 5 },
    // A server without a leader waits for itself, so a restart would not help.
    livenessProbe: {
      httpGet: { path: '/readyz?noleader', port: 'http' },
      initialDelaySeconds: 15,
      periodSeconds: 20,
      failureThreshold: 6,
    },
    volumeMounts: [{ name: 'data', mountPath: '/rqlite/file' }],
  };
}

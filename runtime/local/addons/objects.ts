import type { KubeObject } from '../../../crds/kind.ts';
import { key, systemNamespace } from '../../../crds/names.ts';
import { installJobOf } from '../../../rules/database/charts.ts';
import { chartLabel, instanceLabel } from '../../controllers/database/resources.ts';
import type { AddonRule } from './rules.ts';

/** What the simulation made carries the chart or the server that it is of. */
export const simulatedLabel = key('simulated-addon');
export const generationMark = key('generation');

type Fields = Readonly<Record<string, unknown>>;

export interface Chart extends KubeObject {
  readonly spec?: { readonly targetNamespace?: string; readonly valuesContent?: string };
}
export interface Server extends KubeObject {
  readonly spec?: {
    readonly instances?: number;
    readonly resources?: object;
    readonly storage?: { readonly size?: string; readonly storageClass?: string };
    readonly affinity?: { readonly nodeSelector?: object; readonly tolerations?: readonly object[] };
    readonly enableSuperuserAccess?: boolean;
    readonly inheritedMetadata?: { readonly labels?: Readonly<Record<string, string>> };
  };
  readonly status?: Fields;
}

/** The Job that installs a chart: its container sleeps, and ends as the rule says. */
export function installJob({ metadata }: Chart, { afterSeconds = 1, fails, hang }: Partial<AddonRule>): KubeObject {
  const seconds = hang ? 1_000_000 : afterSeconds;
  const script = `sleep ${seconds}${fails ? '; exit 1' : ''}`;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: installJobOf(metadata.name),
      namespace: systemNamespace,
      labels: { [chartLabel]: metadata.name, [simulatedLabel]: metadata.name },
      annotations: { [generationMark]: String(metadata.generation ?? 0) },
    },
    spec: {
      backoffLimit: 0,
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [{ name: 'helm', image: 'simulated/helm', command: ['sh', '-c', script] }],
        },
      },
    },
  } as KubeObject;
}

interface Half {
  readonly resources?: object;
  readonly podLabels?: Readonly<Record<string, string>>;
  readonly nodeSelector?: object;
  readonly tolerations?: readonly object[];
  readonly replicaCount?: number;
  readonly persistence?: { readonly enabled?: boolean; readonly size?: string; readonly storageClass?: string };
}
interface Values {
  readonly architecture?: string;
  readonly primary?: Half;
  readonly secondary?: Half;
  readonly master?: Half;
  readonly replica?: Half;
}

const valuesOf = ({ spec }: Chart): Values => JSON.parse(spec?.valuesContent ?? '{}') as Values;

/** The objects of the release that a chart installs: Services, pods and their claims. */
export function releaseObjects(chart: Chart): readonly KubeObject[] {
  const { name } = chart.metadata;
  const { architecture, primary, secondary, master, replica } = valuesOf(chart);
  if (master)
    return [
      ...half(chart, `${name}-master`, master, 1),
      ...half(chart, `${name}-replicas`, replica, replica?.replicaCount ?? 0),
    ];
  if (architecture !== 'replication') return half(chart, name, primary, 1);
  return [
    ...half(chart, `${name}-primary`, primary, 1),
    ...half(chart, `${name}-secondary`, secondary, secondary?.replicaCount ?? 0),
  ];
}

function half(chart: Chart, name: string, values: Half = {}, copies = 0): readonly KubeObject[] {
  if (copies === 0) return [];
  const { metadata, spec } = chart;
  const namespace = spec?.targetNamespace ?? systemNamespace;
  const labels = { [instanceLabel]: metadata.name, [simulatedLabel]: metadata.name };
  const { persistence = {} } = values;
  const keeps = persistence.enabled !== false && persistence.size !== undefined;
  const pods = Array.from({ length: copies }, (_, at) => `${name}-${at}`);
  return [
    service(name, namespace, labels),
    ...(keeps
      ? pods.map((pod) =>
          claim(`data-${pod}`, namespace, { ...persistence, labels: { [instanceLabel]: metadata.name } }),
        )
      : []),
    ...pods.map((pod) =>
      podOf(pod, namespace, {
        ...values,
        labels: { ...values.podLabels, ...labels },
        claim: keeps ? `data-${pod}` : null,
        container: 'master' in valuesOf(chart) ? 'redis' : 'mysql',
      }),
    ),
  ];
}

const service = (name: string, namespace: string, labels: Readonly<Record<string, string>>): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels },
    spec: { selector: labels, ports: [{ port: 1 }] },
  }) as KubeObject;

const claim = (
  name: string,
  namespace: string,
  {
    size = '1Gi',
    storageClass,
    labels,
  }: { readonly size?: string; readonly storageClass?: string; readonly labels: object },
): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace, labels },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: size } },
      ...(storageClass === undefined ? {} : { storageClassName: storageClass }),
    },
  }) as KubeObject;

const podOf = (
  name: string,
  namespace: string,
  given: Pick<Half, 'resources' | 'nodeSelector' | 'tolerations'> & {
    readonly labels: object;
    readonly claim: string | null;
    /** As the chart or the operator calls it. */
    readonly container: string;
  },
): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: given.labels },
    spec: {
      nodeSelector: given.nodeSelector ?? {},
      tolerations: given.tolerations ?? [],
      containers: [{ name: given.container, image: 'simulated/server', resources: given.resources ?? {} }],
      volumes: given.claim === null ? [] : [{ name: 'data', persistentVolumeClaim: { claimName: given.claim } }],
    },
  }) as KubeObject;

/** What the operator for Postgres makes of a server, except for its status and the login of its administrator. */
export function serverObjects(server: Server): readonly KubeObject[] {
  const { metadata, spec = {} } = server;
  const { name, namespace = systemNamespace } = metadata;
  const labels = { ...spec.inheritedMetadata?.labels, [simulatedLabel]: name };
  const own = (object: KubeObject): KubeObject => ({
    ...object,
    metadata: { ...object.metadata, ownerReferences: [ownerOf(server)] },
  });
  const instances = Array.from({ length: spec.instances ?? 1 }, (_, at) => `${name}-${at + 1}`);
  return [
    ...['rw', 'ro', 'r'].map((kind) => service(`${name}-${kind}`, namespace, labels)),
    ...instances.map((pod) => claim(pod, namespace, { ...spec.storage, labels })),
    ...instances.map((pod) =>
      podOf(pod, namespace, {
        ...spec.affinity,
        ...(spec.resources && { resources: spec.resources }),
        labels,
        claim: pod,
        container: 'postgres',
      }),
    ),
  ].map(own);
}

export const superuserSecret = (server: Server, password: string): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/basic-auth',
    metadata: {
      name: `${server.metadata.name}-superuser`,
      namespace: server.metadata.namespace ?? systemNamespace,
      labels: { ...server.spec?.inheritedMetadata?.labels, [simulatedLabel]: server.metadata.name },
      ownerReferences: [ownerOf(server)],
    },
    stringData: { username: 'postgres', password },
  }) as KubeObject;

const ownerOf = ({ metadata }: Server) => ({
  apiVersion: 'postgresql.cnpg.io/v1',
  kind: 'Cluster',
  name: metadata.name,
  uid: metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
});

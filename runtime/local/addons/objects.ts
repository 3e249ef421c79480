import type { KubeObject } from '../../../crds/kind.ts';
import { key, systemNamespace } from '../../../crds/names.ts';
import { installJobOf } from '../../../rules/database/charts.ts';
import { notProvidedMark } from '../../../rules/database/notProvided.ts';
import { chartLabel } from '../../controllers/database/kinds.ts';
import { type ChartLogin, mysqlPod, redisPod, type ServerImages, type ServerPod, serverPorts } from './realServers.ts';
import { nodeImages } from '../nodeImages.ts';
import type { AddonRule } from './rules.ts';
import { instanceLabel } from '../../owned/addonKinds.ts';

/** On simulated objects: their chart or server. */
export const simulatedLabel = key('simulated-addon');
export const generationMark = key('generation');

export interface Chart extends KubeObject {
  readonly spec?: { readonly targetNamespace?: string; readonly valuesContent?: string };
}
/** A container that sleeps and ends as the rule says: in the simulated shell, or as a program of a real node. */
function installing({ afterSeconds = 1, fails, hang }: Partial<AddonRule>, images: ServerImages | null) {
  const seconds = hang ? 1_000_000 : afterSeconds;
  return images
    ? { image: nodeImages.helm, args: [String(seconds), fails ? '1' : '0'] }
    : { image: 'simulated/helm', command: ['sh', '-c', `sleep ${seconds}${fails ? '; exit 1' : ''}`] };
}

/** The Job that installs a chart. */
export function installJob({ metadata }: Chart, rule: Partial<AddonRule>, images: ServerImages | null): KubeObject {
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
          containers: [{ name: 'helm', ...installing(rule, images) }],
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
  readonly auth?: ChartLogin;
  readonly primary?: Half;
  readonly secondary?: Half;
  readonly master?: Half;
  readonly replica?: Half;
}

const valuesOf = ({ spec }: Chart): Values => JSON.parse(spec?.valuesContent ?? '{}') as Values;

/**
 * The objects of the release that a chart installs: Services, pods and their claims. With images the pods really run,
 * and there are no replicas, because replication is not simulated.
 */
export function releaseObjects(chart: Chart, images: ServerImages | null = null): readonly KubeObject[] {
  const { name } = chart.metadata;
  const { architecture, primary, secondary, master, replica } = valuesOf(chart);
  const asked = (secondary ?? replica)?.replicaCount ?? 0;
  const replicas = (values: Half | undefined) => (images ? 0 : (values?.replicaCount ?? 0));
  const without = images ? notReplicated(master !== undefined, asked) : '';
  const part = (suffix: string, values: Half | undefined, copies: number) =>
    half(chart, `${name}${suffix}`, { values, copies, images, without });
  if (master) return [...part('-master', master, 1), ...part('-replicas', replica, replicas(replica))];
  if (architecture !== 'replication') return part('', primary, 1);
  return [...part('-primary', primary, 1), ...part('-secondary', secondary, replicas(secondary))];
}

interface Part {
  readonly values: Half | undefined;
  readonly copies: number;
  readonly images: ServerImages | null;
  /** What is left out, as text. */
  readonly without: string;
}

/** What the chart would install besides one server, as text. */
const notReplicated = (isRedis: boolean, replicas: number): string =>
  [
    ...(isRedis ? ['persistence: what Redis holds ends with its pod'] : []),
    ...(replicas > 0 ? [`replication, and runs 1 server of ${replicas + 1}`] : []),
  ].join('; without ');

function chartServer(chart: Chart, images: ServerImages | null): ServerPod | null {
  if (images === null) return null;
  const { auth = {}, master } = valuesOf(chart);
  return master ? redisPod(images.redis, auth) : mysqlPod(images.mysql, auth);
}

function half(chart: Chart, name: string, { values = {}, copies, images, without }: Part): readonly KubeObject[] {
  if (copies === 0) return [];
  const server = chartServer(chart, images);
  const { metadata, spec } = chart;
  const namespace = spec?.targetNamespace ?? systemNamespace;
  const labels = { [instanceLabel]: metadata.name, [simulatedLabel]: metadata.name };
  const { persistence = {} } = values;
  const isRedis = 'master' in valuesOf(chart);
  const keeps = persistence.enabled !== false && persistence.size !== undefined;
  const pods = Array.from({ length: copies }, (_, at) => `${name}-${at}`);
  return [
    service(name, namespace, { labels, port: isRedis ? serverPorts.redis : serverPorts.mysql }),
    ...(keeps
      ? pods.map((pod) =>
          claim(`data-${pod}`, namespace, { ...persistence, labels: { [instanceLabel]: metadata.name } }),
        )
      : []),
    ...pods.map((pod) =>
      podOf(pod, namespace, {
        ...values,
        labels: { ...values.podLabels, ...labels },
        annotations: without === '' ? {} : { [notProvidedMark]: without },
        claim: keeps ? `data-${pod}` : null,
        container: isRedis ? 'redis' : 'mysql',
        server,
      }),
    ),
  ];
}

/** The Service of a server, which selects all pods with its labels. */
export const service = (
  name: string,
  namespace: string,
  { labels, port }: { readonly labels: Readonly<Record<string, string>>; readonly port: number },
): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels },
    spec: { selector: labels, ports: [{ port }] },
  }) as KubeObject;

/** The claim of the volume of a server. */
export const claim = (
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

/** A pod of a server. */
export const podOf = (
  name: string,
  namespace: string,
  given: Pick<Half, 'resources' | 'nodeSelector' | 'tolerations'> & {
    readonly labels: object;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly claim: string | null;
    /** The container name of the chart or the operator. */
    readonly container: string;
    /** What really runs; null when simulated. */
    readonly server: ServerPod | null;
  },
): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: given.labels, annotations: given.annotations ?? {} },
    spec: {
      nodeSelector: given.nodeSelector ?? {},
      tolerations: given.tolerations ?? [],
      containers: [
        {
          name: given.container,
          resources: given.resources ?? {},
          ...(given.server?.container ?? { image: 'simulated/server' }),
        },
      ],
      volumes: [
        ...(given.claim === null ? [] : [{ name: 'data', persistentVolumeClaim: { claimName: given.claim } }]),
        ...(given.server?.volumes ?? []),
      ],
    },
  }) as KubeObject;

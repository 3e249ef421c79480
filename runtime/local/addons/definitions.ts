import type { KubeObject } from '../../../crds/kind.ts';

const text = { type: 'string' };
const count = { type: 'integer' };
const flag = { type: 'boolean' };
const always = (type: string, value: unknown) => ({ type, default: value });
/** A field that the simulation does not read. */
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

interface Described {
  readonly group: string;
  readonly kind: string;
  readonly singular: string;
  readonly plural: string;
  readonly description: string;
  readonly version?: string;
  readonly spec: object;
}

const definition = ({ group, kind, singular, plural, description, version = 'v1', spec }: Described): KubeObject =>
  ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, singular, plural },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              description,
              properties: { spec: { type: 'object', properties: spec }, status: open },
            },
          },
        },
      ],
    },
  }) as KubeObject;

/** The kind of chart installations, with the fields that Core writes and the simulation reads. */
export const helmChartDefinition = definition({
  group: 'helm.cattle.io',
  kind: 'HelmChart',
  singular: 'helmchart',
  plural: 'helmcharts',
  description: 'A chart that the helm controller installs.',
  spec: {
    chart: text,
    repo: text,
    version: text,
    targetNamespace: text,
    createNamespace: flag,
    valuesContent: text,
    failurePolicy: { type: 'string', enum: ['abort', 'reinstall', 'retry'] },
    backOffLimit: count,
  },
});

/**
 * The kind of Postgres servers, with the fields that Core writes and the simulation reads, and those that the operator
 * fills in.
 */
export const postgresDefinition = definition({
  group: 'postgresql.cnpg.io',
  kind: 'Cluster',
  singular: 'cluster',
  plural: 'clusters',
  description: 'A Postgres cluster that the operator runs.',
  spec: {
    instances: { ...always('integer', 1), minimum: 1 },
    imageName: text,
    bootstrap: {
      ...open,
      properties: {
        initdb: {
          ...open,
          properties: {
            encoding: always('string', 'UTF8'),
            localeCType: always('string', 'C'),
            localeCollate: always('string', 'C'),
          },
        },
        recovery: open,
      },
    },
    storage: {
      type: 'object',
      properties: { size: text, storageClass: text, resizeInUseVolumes: always('boolean', true) },
    },
    resources: open,
    affinity: open,
    enableSuperuserAccess: always('boolean', false),
    enablePDB: always('boolean', true),
    primaryUpdateMethod: always('string', 'restart'),
    primaryUpdateStrategy: always('string', 'unsupervised'),
    failoverDelay: always('integer', 0),
    inheritedMetadata: open,
    backup: open,
    externalClusters: { type: 'array', items: open },
  },
});

const cluster = { type: 'object', properties: { name: text } };

/** The kind of nightly base backups of a server. */
export const scheduledBackupDefinition = definition({
  group: 'postgresql.cnpg.io',
  kind: 'ScheduledBackup',
  singular: 'scheduledbackup',
  plural: 'scheduledbackups',
  description: 'A schedule of base backups that the operator takes.',
  spec: { cluster, method: text, schedule: text, immediate: flag, backupOwnerReference: text },
});

/** One base backup of a server. */
export const backupDefinition = definition({
  group: 'postgresql.cnpg.io',
  kind: 'Backup',
  singular: 'backup',
  plural: 'backups',
  description: 'A base backup that the operator takes.',
  spec: { cluster, method: text },
});

/** The definitions of the Postgres operator's chart. */
export const operatorDefinitions: readonly KubeObject[] = [
  backupDefinition,
  scheduledBackupDefinition,
  postgresDefinition,
];

/** The kind of routes of KEDA's HTTP add-on. */
export const interceptorRouteDefinition = definition({
  group: 'http.keda.sh',
  version: 'v1beta1',
  kind: 'InterceptorRoute',
  singular: 'interceptorroute',
  plural: 'interceptorroutes',
  description: 'The hosts whose requests wait for a pod of a service that may sleep.',
  spec: {
    target: { type: 'object', properties: { service: text, port: count, portName: text } },
    rules: { type: 'array', items: { type: 'object', properties: { hosts: { type: 'array', items: text } } } },
    scalingMetric: open,
  },
});

/** The kind of workloads that KEDA scales. */
export const scaledObjectDefinition = definition({
  group: 'keda.sh',
  version: 'v1alpha1',
  kind: 'ScaledObject',
  singular: 'scaledobject',
  plural: 'scaledobjects',
  description: 'A workload whose copies follow its requests.',
  spec: {
    scaleTargetRef: { type: 'object', properties: { name: text, kind: text, apiVersion: text } },
    minReplicaCount: count,
    maxReplicaCount: count,
    cooldownPeriod: count,
    initialCooldownPeriod: count,
    triggers: { type: 'array', items: open },
  },
});

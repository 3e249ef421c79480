import { Optional as optional, type TSchema, Type } from '@sinclair/typebox';
import { corePlatformConfig } from '../../crds/corePlatformConfig.ts';
import { strict } from '../../crds/jsonSchema.ts';
import { structural } from '../../crds/schema.ts';

/** Values by their names, of which none has to be given. */
function values(fields: Readonly<Record<string, TSchema>>, description: string) {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, optional(field)]));
  return Type.Object(properties, { description, additionalProperties: false });
}

const text = (description: string, options: { readonly pattern?: string } = {}) =>
  Type.String({ description, ...options });
const flag = (description: string) => Type.Boolean({ description });
/** Kubernetes' own fields, which its API checks. */
const fields = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });
const lists = (description: string) => Type.Array(Type.Record(Type.String(), Type.Unknown()), { description });
const texts = (description: string) => Type.Record(Type.String(), Type.String(), { description });

/** A value that null switches off; of a union Helm would say more than what is wrong. */
const nullable = (schema: Readonly<Record<string, unknown>>, description: string) =>
  Type.Unsafe<unknown>({ ...schema, type: [schema['type'], 'null'], description });

const account = Type.Object(
  { name: Type.String({ minLength: 1 }), namespace: Type.String({ minLength: 1 }) },
  { additionalProperties: false },
);

const image = values(
  {
    repository: text('Where the image was pushed, without tag.', { pattern: '^[^@\\s]+$' }),
    tag: text("Tag of the image; the chart's appVersion when empty.", { pattern: '^[\\w.-]{0,128}$' }),
    digest: text('Digest of the image, which counts before the tag.', { pattern: '^(sha256:[a-f0-9]{64})?$' }),
    pullPolicy: Type.Unsafe<string>({
      type: 'string',
      enum: ['', 'Always', 'IfNotPresent', 'Never'],
      description: "When nodes pull the image; Kubernetes' default when empty.",
    }),
  },
  'The image of Core.',
);

const serviceMonitor = values(
  {
    enabled: flag("Whether the chart makes a ServiceMonitor, a kind of Prometheus' operator."),
    labels: texts('Labels by which a Prometheus finds it.'),
    interval: text("Time between scrapes; Prometheus' own when empty.", { pattern: '^(\\d+(ms|[smh]))*$' }),
  },
  "How Prometheus' operator scrapes Core.",
);

const metrics = values(
  {
    namespaces: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description: 'Namespaces from which the network policies let metrics be scraped.',
    }),
    readers: Type.Array(account, { description: 'ServiceAccounts of scrapers, which may read the metrics.' }),
    certificateSecret: text('Secret with tls.crt and tls.key of the metrics port; self-signed when empty.'),
    prometheusURL: text('Prometheus with the usage of pods, unless the platform names one.'),
    serviceMonitor,
  },
  'The metrics that Core serves on port 8443, and those that it reads.',
);

const enabled = (what: string) => values({ enabled: flag(`Whether the chart has ${what}.`) }, `${what}.`);

const all = {
  global: fields('Values that a chart shares with its subcharts; not read.'),
  image,
  imagePullSecrets: lists('Secrets of core-system with which nodes pull the image.'),
  replicas: nullable(
    Type.Integer({ minimum: 0 }),
    'Number of replicas; the Deployment has none when null, so that an upgrade leaves a scaled number.',
  ),
  resources: fields('Requests and limits of the container.'),
  nodeSelector: texts('Labels of the nodes that Core runs on.'),
  tolerations: lists('Taints that Core tolerates.'),
  affinity: fields('Affinity of the pods.'),
  topologySpreadConstraints: lists('How replicas spread.'),
  priorityClassName: text('PriorityClass of the pods.'),
  podLabels: texts('More labels of the pods.'),
  podAnnotations: texts('Annotations of the pods.'),
  env: Type.Array(Type.Object({ name: Type.String({ minLength: 1 }) }), {
    description: 'More environment variables: the settings CORE_… of Core.',
  }),
  crds: values(
    {
      install: flag('Whether the chart has the definitions of the kinds.'),
      keep: flag('Whether definitions and platform stay when the release is uninstalled.'),
    },
    'The definitions of the kinds.',
  ),
  admission: enabled('the admission policies'),
  networkPolicies: enabled('the network policies'),
  podDisruptionBudget: enabled('the disruption budget'),
  adminPasswordSecret: text('Secret of core-system whose key `password` is the first password of admin.'),
  platform: nullable(
    strict(structural(corePlatformConfig.spec)),
    'Spec of the CorePlatformConfig `platform`; null for none from the chart.',
  ),
  metrics,
};

/** The schema of the chart's values: a misspelt name is refused at every level but in Kubernetes' own fields. */
export const valuesSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  ...values(all, 'Values of the chart.'),
};

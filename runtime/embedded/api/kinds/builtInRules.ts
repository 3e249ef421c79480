import type { Stored } from '../../store.ts';
import { type Json, at, isJson, jsonAt, listAt, numberAt, same, textAt } from '../json.ts';
import { forbiddenField, invalidValue, required } from '../schema/cause.ts';
import type { Cause } from '../status.ts';
import { definitionFaults, withDefinitionStatus } from './definition.ts';

/** What is peculiar to a built-in kind: what the API fills in, and what it refuses. */
interface KindRules {
  readonly fill?: (object: Json) => Json;
  readonly faults?: (object: Json, old: Stored | undefined) => readonly Cause[];
}

export const builtInRules = (kind: string): KindRules | undefined => rules[kind];

const immutable = 'field is immutable';

/** A field that may not change once it is set. */
const fixed =
  (...path: readonly string[]) =>
  (object: Json, old: Stored | undefined): readonly Cause[] => {
    if (old === undefined || same(at(object, ...path), at(old, ...path))) return [];
    return [invalidValue(path.join('.'), at(object, ...path), immutable)];
  };

const needs =
  (...path: readonly string[]) =>
  (object: Json): readonly Cause[] =>
    at(object, ...path) === undefined ? [required(path.join('.'))] : [];

function containerFaults(spec: unknown, path: string): readonly Cause[] {
  const containers = listAt(spec, 'containers');
  if (containers.length === 0) return [required(`${path}.containers`)];
  return containers.flatMap((container, index) =>
    ['name', 'image']
      .filter((field) => textAt(container, field) === '')
      .map((field) => required(`${path}.containers[${index}].${field}`)),
  );
}

const templateFaults = (object: Json): readonly Cause[] =>
  containerFaults(at(object, 'spec', 'template', 'spec'), 'spec.template.spec');

const defaults = (object: Json, spec: Json): Json => ({ ...object, spec: { ...spec, ...jsonAt(object, 'spec') } });

function podSpec(spec: Json, restartPolicy = 'Always'): Json {
  return {
    restartPolicy,
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
    ...spec,
    containers: listAt(spec, 'containers').map(container),
    ...(isJson(spec['initContainers']) || Array.isArray(spec['initContainers'])
      ? { initContainers: listAt(spec, 'initContainers').map(container) }
      : {}),
  };
}

function container(value: unknown): unknown {
  if (!isJson(value)) return value;
  const image = textAt(value, 'image');
  const isLatest = !image.includes('@') && (!/:[^/]*$/.test(image) || image.endsWith(':latest'));
  return {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: isLatest ? 'Always' : 'IfNotPresent',
    resources: {},
    ...value,
  };
}

function withTemplate(object: Json): Json {
  const spec = jsonAt(object, 'spec');
  const template = jsonAt(spec, 'template');
  if (!isJson(template['spec'])) return object;
  return { ...object, spec: { ...spec, template: { ...template, spec: podSpec(jsonAt(template, 'spec')) } } };
}

function fillPod(pod: Json): Json {
  if (!isJson(pod['spec'])) return pod;
  return { ...pod, spec: podSpec(jsonAt(pod, 'spec')), status: { phase: 'Pending', ...jsonAt(pod, 'status') } };
}

function fillJob(job: Json): Json {
  const uid = textAt(job, 'metadata', 'uid');
  const spec = jsonAt(job, 'spec');
  const template = jsonAt(spec, 'template');
  const ownLabels = spec['manualSelector'] === true ? {} : jobLabels(uid, textAt(job, 'metadata', 'name'));
  const metadata = jsonAt(template, 'metadata');
  const labels = { ...jsonAt(metadata, 'labels'), ...ownLabels };
  const filledTemplate = { ...template, metadata: { ...metadata, labels } };
  const selector = { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } };
  return withTemplate({
    ...job,
    spec: {
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      suspend: false,
      podReplacementPolicy: 'TerminatingOrFailed',
      selector,
      ...spec,
      ...(isJson(spec['template']) && { template: filledTemplate }),
    },
    status: jsonAt(job, 'status'),
  });
}

const jobLabels = (uid: string, name: string) => ({
  'batch.kubernetes.io/controller-uid': uid,
  'batch.kubernetes.io/job-name': name,
  'controller-uid': uid,
  'job-name': name,
});

function jobFaults(job: Json, old: Stored | undefined): readonly Cause[] {
  const policy = textAt(job, 'spec', 'template', 'spec', 'restartPolicy');
  const allowed = ['OnFailure', 'Never'].includes(policy);
  return [
    ...templateFaults(job),
    ...(allowed
      ? []
      : [
          {
            field: 'spec.template.spec.restartPolicy',
            reason: 'FieldValueNotSupported' as const,
            message: `Unsupported value: ${JSON.stringify(policy)}: supported values: "OnFailure", "Never"`,
          },
        ]),
    ...['parallelism', 'completions', 'backoffLimit', 'ttlSecondsAfterFinished', 'activeDeadlineSeconds']
      .filter((field) => numberAt(job, 'spec', field) < 0)
      .map((field) => invalidValue(`spec.${field}`, at(job, 'spec', field), 'must be greater than or equal to 0')),
    ...fixed('spec', 'completions')(job, old),
    ...fixed('spec', 'selector')(job, old),
    ...fixed('spec', 'template')(job, old),
  ];
}

function fillSecret(secret: Json): Json {
  const { stringData, ...others } = secret;
  const added = Object.entries(isJson(stringData) ? stringData : {}).map(
    ([key, value]) => [key, Buffer.from(String(value)).toString('base64')] as const,
  );
  const data = { ...jsonAt(secret, 'data'), ...Object.fromEntries(added) };
  return { ...others, ...(Object.keys(data).length > 0 && { data }), type: textAt(secret, 'type') || 'Opaque' };
}

const dataKey = /^[-._a-zA-Z0-9]{1,253}$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function dataFaults(object: Json, old: Stored | undefined): readonly Cause[] {
  const fields = ['data', 'binaryData'] as const;
  const keys = fields.flatMap((field) => Object.keys(jsonAt(object, field)).map((key) => ({ field, key })));
  const wrong = keys
    .filter(({ key }) => !dataKey.test(key))
    .map(({ field, key }) =>
      invalidValue(
        `${field}[${key}]`,
        key,
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
      ),
    );
  const frozen = old && old['immutable'] === true && fields.some((field) => !same(object[field], old[field]));
  return [
    ...wrong,
    ...(frozen ? [forbiddenField('data', 'field is immutable when `immutable` is set')] : []),
    ...keys
      .filter(({ field, key }) => typeof at(object, field, key) !== 'string')
      .map(({ field, key }) => invalidValue(`${field}[${key}]`, at(object, field, key), 'must be text')),
  ];
}

function secretFaults(secret: Json, old: Stored | undefined): readonly Cause[] {
  const broken = Object.entries(jsonAt(secret, 'data')).filter(([, value]) => !base64.test(String(value)));
  return [
    ...dataFaults(secret, old),
    ...broken.map(([key]) => invalidValue(`data[${key}]`, '', 'must be base64')),
    ...fixed('type')(secret, old),
  ];
}

function fillNamespace(namespace: Json): Json {
  const name = textAt(namespace, 'metadata', 'name');
  const metadata = jsonAt(namespace, 'metadata');
  return {
    ...namespace,
    metadata: { ...metadata, labels: { ...jsonAt(metadata, 'labels'), 'kubernetes.io/metadata.name': name } },
    spec: { finalizers: ['kubernetes'], ...jsonAt(namespace, 'spec') },
    status: { phase: 'Active', ...jsonAt(namespace, 'status') },
  };
}

function fillService(service: Json): Json {
  const ports = listAt(service, 'spec', 'ports').map((port) =>
    isJson(port) ? { protocol: 'TCP', targetPort: port['port'], ...port } : port,
  );
  const type = textAt(service, 'spec', 'type') || 'ClusterIP';
  const clusterIP = type === 'ExternalName' ? {} : { clusterIP: 'None' };
  return {
    ...service,
    spec: {
      type,
      sessionAffinity: 'None',
      ...clusterIP,
      ...jsonAt(service, 'spec'),
      ...(ports.length > 0 && { ports }),
    },
    status: { loadBalancer: {}, ...jsonAt(service, 'status') },
  };
}

const workload: KindRules = {
  fill: (object) => withTemplate(defaults(object, { replicas: 1 })),
  faults: (object, old) => [
    ...templateFaults(object),
    ...fixed('spec', 'selector')(object, old),
    ...selectorFaults(object),
  ],
};

function selectorFaults(object: Json): readonly Cause[] {
  const wanted = jsonAt(object, 'spec', 'selector', 'matchLabels');
  const labels = jsonAt(object, 'spec', 'template', 'metadata', 'labels');
  if (at(object, 'spec', 'selector') === undefined) return [required('spec.selector')];
  return Object.entries(wanted).every(([key, value]) => labels[key] === value)
    ? []
    : [invalidValue('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')];
}

const rules: Readonly<Record<string, KindRules>> = {
  Pod: { fill: fillPod, faults: (pod) => containerFaults(pod['spec'], 'spec') },
  Job: { fill: fillJob, faults: jobFaults },
  CronJob: {
    fill: (cron) =>
      defaults(cron, {
        concurrencyPolicy: 'Allow',
        suspend: false,
        successfulJobsHistoryLimit: 3,
        failedJobsHistoryLimit: 1,
      }),
    faults: (cron) => [...needs('spec', 'schedule')(cron), ...needs('spec', 'jobTemplate')(cron)],
  },
  Deployment: workload,
  ReplicaSet: workload,
  StatefulSet: workload,
  DaemonSet: { ...workload, fill: withTemplate },
  Secret: { fill: fillSecret, faults: secretFaults },
  ConfigMap: { faults: dataFaults },
  Namespace: { fill: fillNamespace },
  Service: { fill: fillService },
  Event: { faults: needs('involvedObject') },
  Ingress: { faults: needs('spec') },
  NetworkPolicy: { faults: needs('spec') },
  PersistentVolumeClaim: {
    fill: (claim) => ({
      ...defaults(claim, { volumeMode: 'Filesystem' }),
      status: { phase: 'Pending', ...jsonAt(claim, 'status') },
    }),
    faults: needs('spec', 'accessModes'),
  },
  RoleBinding: { faults: needs('roleRef') },
  ClusterRoleBinding: { faults: needs('roleRef') },
  CustomResourceDefinition: { fill: withDefinitionStatus, faults: definitionFaults },
};

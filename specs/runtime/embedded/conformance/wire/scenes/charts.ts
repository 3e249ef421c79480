import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { type Json, at, isJson, jsonAt, listAt, textAt } from '../../../../../../runtime/embedded/api/json.ts';
import { pathOf } from '../../../pathOf.ts';
import { applyPatch, mergePatch, patch, post, remove, type Scene, type Step } from '../scene.ts';

/** The objects of a chart, in YAML as charts are rendered: 0755 is octal. */
const rendered = (chart: string): readonly Json[] =>
  parseAllDocuments(readFileSync(new URL(`../charts/${chart}.yaml`, import.meta.url), 'utf8'), { version: '1.1' })
    .map((document): unknown => document.toJS())
    .filter(isJson);

const inPods = (field: string) => `spec.template.spec.${field}`;

/** Fields, by kind, that the embedded API shows otherwise: none of them is refused. */
const otherwise: Readonly<Record<string, readonly string[]>> = {
  ClusterRole: ['rules'],
  CustomResourceDefinition: ['status', 'metadata.finalizers', 'spec.preserveUnknownFields'],
  DaemonSet: ['metadata.annotations'],
  // A real API server leaves out what was given as empty.
  Deployment: [
    'priorityClassName',
    'tolerations',
    'volumes.emptyDir.medium',
    'volumes.persistentVolumeClaim.readOnly',
  ].map(inPods),
  EndpointSlice: ['metadata.generation'],
  HorizontalPodAutoscaler: ['spec.behavior'],
  MutatingWebhookConfiguration: ['metadata.generation'],
  PersistentVolume: ['spec.storageClassName', 'status.lastPhaseTransitionTime'],
  PersistentVolumeClaim: ['spec.dataSource', 'spec.dataSourceRef'],
  PodTemplate: ['metadata.generation'],
  PriorityClass: ['metadata.generation', 'globalDefault'],
  // Addresses and ports are given by a controller.
  Service: ['spec.clusterIP', 'spec.clusterIPs', 'spec.healthCheckNodePort', 'spec.ports.nodePort'],
  StatefulSet: [
    ...['hostIPC', 'hostNetwork', 'securityContext.supplementalGroups', 'securityContext.sysctls'].map(inPods),
    'spec.volumeClaimTemplates.metadata.annotations',
  ],
  ValidatingWebhookConfiguration: ['metadata.generation', 'webhooks.clientConfig.service.port'],
};

function without(value: unknown, [name = '', ...inner]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, [name, ...inner]));
  if (!isJson(value) || !(name in value)) return value;
  const { [name]: found, ...others } = value;
  return inner.length === 0 ? others : { ...others, [name]: without(found, inner) };
}

/** The token that every pod is given says what a distribution adds to it. */
const withoutToken = (body: Json): Json =>
  body['kind'] === 'Pod' ? { ...body, spec: { ...jsonAt(body, 'spec'), volumes: given(body) } } : body;
const given = (pod: Json) =>
  listAt(pod, 'spec', 'volumes').filter((one) => !textAt(one, 'name').startsWith('kube-api-access'));

const shared = (body: Json): unknown =>
  (otherwise[textAt(body, 'kind')] ?? []).reduce<unknown>(
    (seen, path) => without(seen, path.split('.')),
    withoutToken(body),
  );

/** Whether anything changed, or why it was refused. */
const outcome = (body: Json) => ({
  ...(body['code'] !== undefined && { code: body['code'], message: body['message'] }),
  generation: at(shared(body), 'metadata', 'generation'),
});

const bound = ['PersistentVolume', 'PersistentVolumeClaim'];

/** Each object is created, applied by another program as it stands, and removed in the end. */
function installed(chart: string): Scene {
  const objects = rendered(chart);
  const own = (object: Json) => `${pathOf(object)}/${textAt(object, 'metadata', 'name')}`;
  const created = objects.flatMap((object): readonly Step[] => [
    post(pathOf(object), object, { look: shared }),
    patch(`${own(object)}?fieldManager=other&force=true`, applyPatch, object, { look: outcome }),
  ]);
  const removed = objects
    .toReversed()
    .flatMap((object): readonly Step[] => [
      remove(own(object), { propagationPolicy: 'Background' }, { look: ({ code }) => code ?? 'removed' }),
      ...(bound.includes(textAt(object, 'kind'))
        ? [
            patch(
              own(object),
              mergePatch,
              { metadata: { finalizers: null } },
              { look: ({ code }) => code ?? 'removed' },
            ),
          ]
        : []),
    ]);
  return { title: `a chart in the shape of ${chart}`, steps: [...created, ...removed] };
}

/** Workloads in the shapes that public charts have. */
export const charts: readonly Scene[] = ['agents', 'database', 'jobs', 'rights', 'web'].map(installed);

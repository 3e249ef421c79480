import { slot } from './template.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An object of crds/install or crds/manifests. */
export interface Manifest extends Fields {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Fields; readonly annotations?: Fields };
}

interface Workload {
  readonly template: { readonly metadata: { readonly labels: Fields }; readonly spec: PodSpec };
}
interface PodSpec {
  readonly containers: readonly [Container];
  readonly volumes: readonly object[];
}
interface Container extends Fields {
  readonly env: readonly object[];
  readonly volumeMounts: readonly object[];
}

/** The values under which the objects of a file of crds/install are part of the chart. */
export const conditions: Readonly<Record<string, string>> = {
  'admission.yaml': 'admission.enabled',
  'networkpolicies.yaml': 'networkPolicies.enabled',
  'poddisruptionbudget.yaml': 'podDisruptionBudget.enabled',
};

const labelled = (object: Manifest): Manifest => ({
  ...object,
  metadata: { ...object.metadata, labels: { ...object.metadata.labels, [slot('labels')]: null } },
});

/** A definition, which names its release, and stays when the chart is uninstalled. */
export function definition(object: Manifest): Manifest {
  const { metadata, ...rest } = labelled(object);
  const annotations = { ...metadata.annotations, [slot('release')]: null, [slot('keep')]: null };
  return { ...rest, metadata: { ...metadata, annotations } };
}

function containerOf({ image: _image, resources: _resources, env, volumeMounts, ...rest }: Container) {
  return {
    ...rest,
    [slot('containerFields')]: null,
    env: [...env, slot('env')],
    volumeMounts: [...volumeMounts, slot('volumeMounts')],
  };
}

function deploymentSpec({ template, ...spec }: Workload) {
  const { containers, volumes, ...pod } = template.spec;
  const { metadata } = template;
  return {
    [slot('deploymentFields')]: null,
    ...spec,
    template: {
      metadata: {
        ...metadata,
        labels: { ...metadata.labels, [slot('podLabels')]: null },
        [slot('podMetadata')]: null,
      },
      spec: {
        ...pod,
        [slot('podFields')]: null,
        containers: [containerOf(containers[0])],
        volumes: [...volumes, slot('volumes')],
      },
    },
  };
}

/** Who may scrape is the only thing that a policy takes from the values. */
function metricsPolicySpec(spec: object) {
  const namespaces = { key: 'kubernetes.io/metadata.name', operator: 'In', values: [slot('metricsNamespaces')] };
  const ports = [{ port: 'metrics', protocol: 'TCP' }];
  return { ...spec, ingress: [{ from: [{ namespaceSelector: { matchExpressions: [namespaces] } }], ports }] };
}

/** An object of crds/install with its places for values. */
export function installed(object: Manifest): Manifest {
  const { kind, metadata, spec } = object;
  if (kind === 'Deployment') return labelled({ ...object, spec: deploymentSpec(spec as Workload) });
  if (kind === 'NetworkPolicy' && metadata.name === 'core-metrics')
    return labelled({ ...object, spec: metricsPolicySpec(spec as object) });
  return labelled(object);
}

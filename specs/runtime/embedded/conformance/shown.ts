import type { KubeObject } from '../../../../crds/kind.ts';
import { type Json, isJson, jsonAt, listAt, same, textAt, without } from '../../../../runtime/embedded/api/json.ts';
import type { WriteError, Gone } from '../../../../runtime/services/cluster/cluster.ts';

/** Answers in words that two clusters share: uids and versions by their order, times as such. */
export interface Shown {
  readonly object: (object: KubeObject) => string;
  readonly version: (resourceVersion: string) => string;
  readonly failure: (failure: WriteError | Gone) => string;
}

const generated = /^(.*-)[a-z0-9]{5}$/;

/** Without what every pod or build has: the spec says enough in what differs. */
const constant: Json = { app: 'shop', project: 'demo', environment: 'live' };

/** What admission adds to a pod, for its account and for bad times: the cluster in memory has no such plugins. */
const admitted = ['serviceAccount', 'serviceAccountName', 'volumes', 'tolerations'];
const withoutMounts = (container: unknown) => (isJson(container) ? without(container, 'volumeMounts') : container);

function specOf({ spec }: Json): Json {
  if (!isJson(spec) || !Array.isArray(spec['containers'])) return jsonAt(spec);
  return { ...without(spec, ...admitted), containers: spec['containers'].map(withoutMounts) };
}

function bodyOf(object: KubeObject): string {
  const { apiVersion: _, kind: __, metadata: ___, ...body } = object as unknown as Json;
  const spec = Object.entries(specOf(body)).filter(([name, value]) => !same(constant[name], value));
  const shownSpec = spec.length === 0 ? {} : { spec: Object.fromEntries(spec) };
  const { spec: ____, ...rest } = body;
  const shown = { ...shownSpec, ...rest };
  return Object.keys(shown).length === 0 ? '' : ` ${inOrder(shown)}`;
}

/** JSON with its fields in the order of the alphabet: two that are equal read the same. */
const inOrder = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    isJson(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );

/** Shows what happens from a version on. */
export function showing(base: string): Shown {
  const uids = new Map<string, string>();
  const uid = (given: string) => {
    const known = uids.get(given) ?? `#${uids.size + 1}`;
    uids.set(given, known);
    return known;
  };
  const version = (given: string) => `+${Number(given) - Number(base)}`;
  const part = (name: string, value: unknown) => (value === undefined ? '' : ` ${name}${inOrder(value)}`);

  return {
    version,
    object: (object) => {
      const { name, labels, annotations, finalizers, generation, deletionTimestamp } = object.metadata;
      const owners = listAt(object, 'metadata', 'ownerReferences').map((owner) => uid(textAt(owner, 'uid')));
      return [
        `${name.replace(generated, '$1…')} ${uid(object.metadata.uid ?? '')} ${version(object.metadata.resourceVersion ?? '')}`,
        generation === undefined ? '' : ` g${generation}`,
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(object.metadata.creationTimestamp ?? '') ? '' : ' no time of birth',
        deletionTimestamp === undefined ? '' : ' deleting',
        part('labels', labels),
        part('annotations', annotations),
        part('finalizers', finalizers),
        owners.length === 0 ? '' : ` of ${owners.join(' ')}`,
        bodyOf(object),
      ].join('');
    },
    failure: (failure) => {
      const text = 'what' in failure ? failure.what : failure.message;
      const tag = failure._tag === 'Refused' ? `Refused ${failure.status}` : failure._tag;
      const known = [...uids].reduce((shown, [from, to]) => shown.replaceAll(from, to), text);
      const steady = known
        .replace(/(Version in (?:the precondition|record) \(|resourceVersion\\?":\\?")\d+/g, '$1n')
        .replace(/,\\?"managedFields\\?":\[.*?\}\](?=[,}])/g, '')
        .replace(/(Timestamp\\?":\\?")[-:TZ\d]+/g, '$1then');
      return `${tag}: ${steady}`;
    },
  };
}

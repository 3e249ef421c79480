import { at, listAt, textAt } from '../api/json.ts';
import type { Store } from '../store.ts';
import type { Container, Pod } from './shapes.ts';
import { dataOf, textOf } from './shell/environment.ts';

/** What a pod takes from one Secret or ConfigMap; without keys, whatever is in it. */
interface Source {
  readonly is: 'Secret' | 'ConfigMap';
  readonly name: string;
  readonly keys: readonly string[];
  readonly optional: boolean;
}

const source = (is: Source['is'], reference: unknown, name: string, keys: readonly string[]): Source => ({
  is,
  name: textAt(reference, name),
  keys,
  optional: at(reference, 'optional') === true,
});

/** The reference in a field that is a Secret, and the one in a field that is a ConfigMap, as far as there is one. */
const sourcesIn = (
  holder: unknown,
  fields: { readonly Secret: string; readonly ConfigMap: string },
  {
    nameOf = () => 'name',
    keysOf,
  }: { nameOf?: (is: Source['is']) => string; keysOf: (reference: unknown) => readonly string[] },
): readonly Source[] =>
  (['Secret', 'ConfigMap'] as const).flatMap((is) => {
    const reference = at(holder, fields[is]);
    return reference === undefined ? [] : [source(is, reference, nameOf(is), keysOf(reference))];
  });

const itemKeys = (reference: unknown) => listAt(reference, 'items').map((item) => textAt(item, 'key'));
const volumeFields = { Secret: 'secret', ConfigMap: 'configMap' } as const;

function sourcesOfVolume(volume: unknown): readonly Source[] {
  const nameOf = (is: Source['is']) => (is === 'Secret' ? 'secretName' : 'name');
  const projected = listAt(volume, 'projected', 'sources');
  return [
    ...sourcesIn(volume, volumeFields, { nameOf, keysOf: itemKeys }),
    ...projected.flatMap((one) => sourcesIn(one, volumeFields, { keysOf: itemKeys })),
  ];
}

const sourcesOfContainer = (container: Container): readonly Source[] => [
  ...listAt(container, 'envFrom').flatMap((one) =>
    sourcesIn(one, { Secret: 'secretRef', ConfigMap: 'configMapRef' }, { keysOf: () => [] }),
  ),
  ...listAt(container, 'env').flatMap((one) =>
    sourcesIn(
      at(one, 'valueFrom'),
      { Secret: 'secretKeyRef', ConfigMap: 'configMapKeyRef' },
      { keysOf: (reference) => [textAt(reference, 'key')] },
    ),
  ),
];

/** What counts as being in a source, and how a kubelet says that it, or a key of it, is not there. */
interface Words {
  readonly read: typeof dataOf;
  readonly absent: (source: Source) => string;
  readonly lacks: (source: Source, key: string) => string;
}

const notFound = ({ is, name }: Source) => `${is.toLowerCase()} "${name}" not found`;

function missingOf(store: Store, namespace: string, wanted: Source, words: Words): string | null {
  if (wanted.optional) return null;
  const data = words.read(store, { ...wanted, namespace });
  if (!data) return words.absent(wanted);
  const key = wanted.keys.find((one) => !data.has(one));
  return key === undefined ? null : words.lacks(wanted, key);
}

const first = <Item>(items: readonly Item[], missing: (item: Item) => string | null): string | null => {
  for (const item of items) {
    const found = missing(item);
    if (found !== null) return found;
  }
  return null;
};

/** Why a volume of a pod cannot be mounted; null when all can. */
export function unmounted(store: Store, pod: Pod): string | null {
  const { namespace = '' } = pod.metadata;
  return first(pod.spec?.volumes ?? [], (volume) =>
    first(sourcesOfVolume(volume), (wanted) => {
      const says = missingOf(store, namespace, wanted, {
        read: dataOf,
        absent: notFound,
        lacks: ({ is }, key) => `references non-existent ${is === 'Secret' ? 'secret' : 'config'} key: ${key}`,
      });
      return says === null ? null : `MountVolume.SetUp failed for volume "${textAt(volume, 'name')}" : ${says}`;
    }),
  );
}

/** Why the environment of a container cannot be set; null when it can. */
export function unset(store: Store, pod: Pod, container: Container): string | null {
  const { namespace = '' } = pod.metadata;
  return first(sourcesOfContainer(container), (wanted) =>
    missingOf(store, namespace, wanted, {
      read: textOf,
      absent: notFound,
      lacks: ({ is, name }, key) => `couldn't find key ${key} in ${is} ${namespace}/${name}`,
    }),
  );
}

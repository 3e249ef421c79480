import { at, isJson, listAt, textAt, wordOf } from '../../api/json.ts';
import type { Store, Stored } from '../../store.ts';
import { podFieldOf } from './podField.ts';
import { resourceOf } from './resourceField.ts';

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The environment of a simulated container: what every one has and what its spec gives it, read anew for each session. */
export function environmentOf(store: Store, pod: Stored, container: unknown): Map<string, string> {
  const usual = new Map([
    ['PATH', path],
    ['HOME', '/root'],
    ['HOSTNAME', textAt(pod, 'spec', 'hostname') || pod.metadata.name],
  ]);
  return withDeclared(usual, store, pod, container);
}

/** An environment with what the spec of a container adds to it. */
export function withDeclared(
  given: ReadonlyMap<string, string>,
  store: Store,
  pod: Stored,
  container: unknown,
): Map<string, string> {
  const environment = new Map(given);
  const namespace = pod.metadata.namespace ?? '';
  for (const source of listAt(container, 'envFrom')) {
    const prefix = textAt(source, 'prefix');
    const found = dataOf(store, { namespace, ...referenceOf(source, 'configMapRef', 'secretRef') });
    for (const [name, value] of found ?? []) environment.set(prefix + name, value.toString('utf8'));
  }
  for (const entry of listAt(container, 'env')) {
    const value = valueOf(store, pod, entry, container) ?? null;
    if (value !== null) environment.set(textAt(entry, 'name'), filledIn(value, environment));
  }
  return environment;
}

/** `$(NAME)` stands for a variable given before, `$$(NAME)` for itself. */
export const filledIn = (text: string, known: ReadonlyMap<string, string>) =>
  text.replace(/\$(\$?)\(([^)]+)\)/g, (whole, doubled: string, name: string) =>
    doubled === '$' ? whole.slice(1) : (known.get(name) ?? whole),
  );

function valueOf(store: Store, pod: Stored, entry: unknown, container: unknown): string | undefined {
  if (!isJson(entry)) return undefined;
  if (entry['valueFrom'] === undefined) return wordOf(entry['value'] ?? '');
  const { valueFrom } = entry;
  const field = textAt(valueFrom, 'fieldRef', 'fieldPath');
  if (field !== '') return podFieldOf(pod, field);
  if (at(valueFrom, 'resourceFieldRef') !== undefined)
    return resourceOf(pod, at(valueFrom, 'resourceFieldRef'), container);
  const reference = referenceOf(valueFrom, 'configMapKeyRef', 'secretKeyRef');
  const key = textAt(valueFrom, reference.is === 'ConfigMap' ? 'configMapKeyRef' : 'secretKeyRef', 'key');
  return dataOf(store, { namespace: pod.metadata.namespace ?? '', ...reference })
    ?.get(key)
    ?.toString('utf8');
}

/** A ConfigMap or a Secret by name. */
interface Reference {
  readonly is: 'ConfigMap' | 'Secret';
  readonly name: string;
}

const referenceOf = (source: unknown, configMap: string, secret: string): Reference =>
  textAt(source, configMap, 'name') === ''
    ? { is: 'Secret', name: textAt(source, secret, 'name') }
    : { is: 'ConfigMap', name: textAt(source, configMap, 'name') };

/** What a ConfigMap or a Secret holds, by key; undefined where there is none. */
export function dataOf(
  store: Store,
  { is, namespace, name }: Reference & { readonly namespace: string },
): ReadonlyMap<string, Buffer> | undefined {
  const object = store.get({ bucket: is === 'Secret' ? '/secrets' : '/configmaps', namespace, name });
  if (!object) return undefined;
  const fields: readonly (readonly [string, BufferEncoding])[] =
    is === 'Secret'
      ? [['data', 'base64']]
      : [
          ['data', 'utf8'],
          ['binaryData', 'base64'],
        ];
  return new Map(
    fields.flatMap(([field, encoding]) => {
      const held = object[field];
      const entries = isJson(held) ? Object.entries(held) : [];
      return entries.map(([key, value]) => [key, Buffer.from(wordOf(value), encoding)] as const);
    }),
  );
}

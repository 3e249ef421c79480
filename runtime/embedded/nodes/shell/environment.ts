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
    const found = textOf(store, { namespace, ...referenceOf(source, 'configMapRef', 'secretRef') });
    for (const [name, value] of found ?? []) environment.set(prefix + name, value.toString('utf8'));
  }
  for (const entry of listAt(container, 'env')) {
    const value = valueOf(store, pod, entry, container) ?? null;
    // What comes from elsewhere is taken as it is: a password may hold any sign.
    const isOwn = at(entry, 'valueFrom') === undefined;
    if (value !== null) environment.set(textAt(entry, 'name'), isOwn ? filledIn(value, environment) : value);
  }
  return environment;
}

/** `$(NAME)` stands for a variable given before, and `$$` for one `$`, so that `$$(NAME)` stands for itself. */
export const filledIn = (text: string, known: ReadonlyMap<string, string>) =>
  text.replace(/\$(?:\$|\(([^)]*)\))/g, (whole, name: string | undefined) =>
    name === undefined ? '$' : (known.get(name) ?? whole),
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
  return textOf(store, { namespace: pod.metadata.namespace ?? '', ...reference })
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

type Held = Reference & { readonly namespace: string };

/** What a ConfigMap or a Secret holds, by key; undefined where there is none. */
export const dataOf = (store: Store, held: Held): ReadonlyMap<string, Buffer> | undefined =>
  heldIn(store, held, held.is === 'Secret' ? ['data'] : ['data', 'binaryData']);

/** The same as far as variables may have it: what a ConfigMap holds in bytes is for files alone. */
export const textOf = (store: Store, held: Held): ReadonlyMap<string, Buffer> | undefined =>
  heldIn(store, held, ['data']);

function heldIn(
  store: Store,
  { is, namespace, name }: Held,
  fields: readonly ('data' | 'binaryData')[],
): ReadonlyMap<string, Buffer> | undefined {
  const object = store.get({ bucket: is === 'Secret' ? '/secrets' : '/configmaps', namespace, name });
  if (!object) return undefined;
  return new Map(
    fields.flatMap((field) => {
      const held = object[field];
      const entries = isJson(held) ? Object.entries(held) : [];
      const encoding = is === 'ConfigMap' && field === 'data' ? 'utf8' : 'base64';
      return entries.map(([key, value]) => [key, Buffer.from(wordOf(value), encoding)] as const);
    }),
  );
}

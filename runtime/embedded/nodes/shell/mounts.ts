import { posix } from 'node:path';
import { listAt, textAt } from '../../api/json.ts';
import type { Store, Stored } from '../../store.ts';
import { dataOf } from './environment.ts';
import { type Files, createFiles } from './files.ts';
import { podFieldOf } from './podField.ts';

const osRelease = `NAME="Simulated"
ID=simulated
PRETTY_NAME="Simulated container: no image runs here"
`;

/** The files of a container: a few that every one has, and what its volumes bring. */
export function filesOf(store: Store, pod: Stored, container: unknown): Files {
  const { name, namespace = '' } = pod.metadata;
  const files = new Map([
    ['/etc/os-release', osRelease],
    ['/etc/hostname', `${name}\n`],
    ['/etc/hosts', `127.0.0.1\tlocalhost\n${textAt(pod, 'status', 'podIP') || '127.0.0.1'}\t${name}\n`],
    ['/etc/passwd', 'root:x:0:0:root:/root:/bin/sh\n'],
    ['/etc/resolv.conf', `search ${namespace}.svc.cluster.local svc.cluster.local cluster.local\n`],
  ]);
  const readOnly: string[] = [];
  for (const mount of listAt(container, 'volumeMounts')) {
    const volume = listAt(pod, 'spec', 'volumes').find((one) => textAt(one, 'name') === textAt(mount, 'name'));
    const target = posix.resolve('/', textAt(mount, 'mountPath'));
    const content = contentOf(store, pod, volume);
    if (content) readOnly.push(target);
    const subPath = textAt(mount, 'subPath');
    for (const [key, text] of content ?? [])
      if (subPath === '') files.set(posix.join(target, key), text);
      else if (key === subPath) files.set(target, text);
  }
  return createFiles(files, readOnly);
}

/** What a volume holds at the beginning; null for one that is empty and may be written. */
function contentOf(store: Store, pod: Stored, volume: unknown): ReadonlyMap<string, string> | null {
  const projected = listAt(volume, 'projected', 'sources');
  if (projected.length > 0)
    return new Map(projected.flatMap((source) => [...(sourceOf(store, pod, source) ?? new Map<string, string>())]));
  return sourceOf(store, pod, volume);
}

function sourceOf(store: Store, pod: Stored, source: unknown): ReadonlyMap<string, string> | null {
  const namespace = pod.metadata.namespace ?? '';
  const configMap = textAt(source, 'configMap', 'name');
  const secret = textAt(source, 'secret', 'secretName') || textAt(source, 'secret', 'name');
  if (configMap !== '')
    return chosen(dataOf(store, { is: 'ConfigMap', namespace, name: configMap }), listAt(source, 'configMap', 'items'));
  if (secret !== '')
    return chosen(dataOf(store, { is: 'Secret', namespace, name: secret }), listAt(source, 'secret', 'items'));
  const downward = listAt(source, 'downwardAPI', 'items');
  if (downward.length === 0) return null;
  return new Map(
    downward.map((item) => [textAt(item, 'path'), podFieldOf(pod, textAt(item, 'fieldRef', 'fieldPath'))]),
  );
}

/** The keys as files; with items only those, under their paths. */
function chosen(data: ReadonlyMap<string, Buffer> | undefined, items: readonly unknown[]): ReadonlyMap<string, string> {
  const all = [...(data ?? [])].map(([key, value]) => [key, value.toString('utf8')] as const);
  if (items.length === 0) return new Map(all);
  const texts = new Map(all);
  return new Map(
    items.flatMap((item) => {
      const text = texts.get(textAt(item, 'key'));
      return text === undefined ? [] : [[textAt(item, 'path'), text] as const];
    }),
  );
}

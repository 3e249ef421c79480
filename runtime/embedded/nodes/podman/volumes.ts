import { chmodSync, chownSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { at, isJson, listAt, numberAt, textAt } from '../../api/json.ts';
import type { Store, Stored } from '../../store.ts';
import { dataOf } from '../shell/environment.ts';
import { podFieldOf } from '../shell/podField.ts';
import { resourceOf } from '../shell/resourceField.ts';
import { type Pod, claimsOf } from '../shapes.ts';
import { type File, fill } from './filledVolume.ts';
import type { Folders } from './folders.ts';
import { makeFolder } from '../../makeFolder.ts';

/** What a mount is bound to: a folder of this machine, or a volume of podman. */
export type Source =
  | {
      readonly is: 'folder';
      readonly path: string;
      /** What is filled from objects: a container that could write there would choose what is replaced of the machine. */
      readonly isFilled: boolean;
    }
  | { readonly is: 'volume'; readonly name: string };

/** Writes a token for the account of a pod; null where none can be given. */
export type TokenOf = (pod: Stored, wish: { readonly audience: string; readonly seconds: number }) => string | null;

export interface Volumes {
  /** Makes the volumes of a pod; one that is filled from objects is filled anew. */
  readonly make: (pod: Pod) => void;
  /** Makes the volumes of a pod anew where what they tell of it has changed, or a token has lived for most of its time. */
  readonly renew: (pod: Pod) => void;
  readonly sourceOf: (pod: Pod, volume: string) => Source | null;
}

interface World {
  readonly store: Store;
  readonly folders: Folders;
  readonly tokenOf: TokenOf;
  readonly now: () => number;
}

/** Of its time, after which a token is replaced. */
const renewedAfter = 0.8;
const usualMode = 0o644;

export function createVolumes({ store, folders, tokenOf, now }: World): Volumes {
  const placeOf = (pod: Pod, volume: unknown) => {
    const { uid } = pod.metadata;
    const parent = isSecret(volume) ? folders.inMemory(uid) : join(folders.ofPod(uid), 'volumes');
    return join(parent, textAt(volume, 'name'));
  };

  function make(pod: Pod) {
    for (const volume of listAt(pod, 'spec', 'volumes')) {
      if (at(volume, 'persistentVolumeClaim') !== undefined) continue;
      const folder = placeOf(pod, volume);
      const isNew = !existsSync(folder);
      makeFolder(folder);
      if (isNew) open(pod, volume, folder);
      const files = filesOf(pod, volume);
      if (files !== null) fill(folder, files, groupOf(pod));
    }
  }

  /** An empty volume belongs to everybody in its pod. */
  function open(pod: Pod, volume: unknown, folder: string) {
    const isEmpty = at(volume, 'emptyDir') !== undefined;
    const group = groupOf(pod);
    if (group !== null) chownSync(folder, 0, group);
    chmodSync(folder, isEmpty ? (group === null ? 0o777 : 0o2777) : 0o755);
  }

  function filesOf(pod: Pod, volume: unknown): readonly File[] | null {
    const projected = at(volume, 'projected');
    if (projected !== undefined) {
      const mode = modeOf(projected, usualMode);
      return listAt(projected, 'sources').flatMap((source) => filesFrom(pod, source, mode) ?? []);
    }
    const [own] = ['configMap', 'secret', 'downwardAPI'].flatMap((field) => at(volume, field) ?? []);
    return filesFrom(pod, volume, modeOf(own, usualMode));
  }

  function filesFrom(pod: Pod, source: unknown, mode: number): readonly File[] | null {
    const namespace = pod.metadata.namespace ?? '';
    const configMap = at(source, 'configMap');
    const secret = at(source, 'secret');
    const downward = at(source, 'downwardAPI');
    const token = at(source, 'serviceAccountToken');
    if (configMap !== undefined)
      return chosen(dataOf(store, { is: 'ConfigMap', namespace, name: textAt(configMap, 'name') }), configMap, mode);
    if (secret !== undefined) {
      const name = textAt(secret, 'secretName') || textAt(secret, 'name');
      return chosen(dataOf(store, { is: 'Secret', namespace, name }), secret, mode);
    }
    if (downward !== undefined)
      return listAt(downward, 'items').map((item) => ({
        path: textAt(item, 'path'),
        content: contentOf(pod, item),
        mode: modeOf(item, mode),
      }));
    if (token === undefined) return null;
    const seconds = secondsOf(token);
    const content = tokenOf(pod, { audience: textAt(token, 'audience'), seconds });
    return content === null ? [] : [{ path: textAt(token, 'path'), content, mode: 0o600 | (mode & 0o044) }];
  }

  return {
    make,
    renew(pod) {
      const hasChanged = toldOf(pod).some(({ volume, item }) => {
        const file = join(placeOf(pod, volume), textAt(item, 'path'));
        return existsSync(file) && readFileSync(file, 'utf8') !== contentOf(pod, item);
      });
      const isDue = tokensOf(pod).some(({ volume, token }) => {
        const file = join(placeOf(pod, volume), textAt(token, 'path'));
        const madeAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
        return now() >= madeAt + secondsOf(token) * 1_000 * renewedAfter;
      });
      if (hasChanged || isDue) make(pod);
    },
    sourceOf(pod, name) {
      const volume = listAt(pod, 'spec', 'volumes').find((one) => textAt(one, 'name') === name);
      if (volume === undefined) return null;
      const claim = textAt(volume, 'persistentVolumeClaim', 'claimName');
      if (claim === '' || !claimsOf(pod).includes(claim))
        return { is: 'folder', path: placeOf(pod, volume), isFilled: at(volume, 'emptyDir') === undefined };
      return { is: 'volume', name: volumeOf(store, pod.metadata.namespace ?? '', claim, folders.id) };
    },
  };
}

/** The volume of podman in which a claim keeps its data: that of the PersistentVolume to which it is bound. */
export function volumeOf(store: Store, namespace: string, claim: string, cluster: string): string {
  const found = store.get({ bucket: '/persistentvolumeclaims', namespace, name: claim });
  return volumeNamed(cluster, textAt(found, 'spec', 'volumeName'));
}

export const volumeNamed = (cluster: string, persistentVolume: string) => `core-${cluster}-${persistentVolume}`;

/** What a file of the downward API says: a field of the pod, or an amount of one of its containers. */
const contentOf = (pod: Pod, item: unknown): string =>
  at(item, 'resourceFieldRef') === undefined
    ? podFieldOf(pod, textAt(item, 'fieldRef', 'fieldPath'))
    : resourceOf(pod, at(item, 'resourceFieldRef'), undefined);

const secondsOf = (token: unknown): number => numberAt(token, 'expirationSeconds') || 3_600;

const tokensOf = (pod: Pod) =>
  listAt(pod, 'spec', 'volumes').flatMap((volume) =>
    listAt(volume, 'projected', 'sources').flatMap((source) => {
      const token = at(source, 'serviceAccountToken');
      return token === undefined ? [] : [{ volume, token }];
    }),
  );

/** The files that tell of the pod itself. */
const toldOf = (pod: Pod) =>
  listAt(pod, 'spec', 'volumes').flatMap((volume) =>
    [volume, ...listAt(volume, 'projected', 'sources')].flatMap((source) =>
      listAt(source, 'downwardAPI', 'items').map((item) => ({ volume, item })),
    ),
  );

const isSecret = (volume: unknown) =>
  at(volume, 'secret') !== undefined ||
  textAt(volume, 'emptyDir', 'medium') === 'Memory' ||
  listAt(volume, 'projected', 'sources').some(
    (source) => at(source, 'secret') !== undefined || at(source, 'serviceAccountToken') !== undefined,
  );

/** Whose volumes are all volumes of a pod. */
export function groupOf({ spec }: Pod): number | null {
  const group = at(spec, 'securityContext', 'fsGroup');
  return typeof group === 'number' ? group : null;
}

function modeOf(holder: unknown, otherwise: number): number {
  const own = at(holder, 'defaultMode') ?? at(holder, 'mode');
  return typeof own === 'number' ? own : otherwise;
}

/** The keys as files; with items only those, under their paths. */
function chosen(data: ReadonlyMap<string, Buffer> | undefined, source: unknown, mode: number): readonly File[] {
  const items = isJson(source) ? listAt(source, 'items') : [];
  if (items.length === 0) return [...(data ?? [])].map(([path, content]) => ({ path, content, mode }));
  return items.flatMap((item) => {
    const content = data?.get(textAt(item, 'key'));
    return content === undefined ? [] : [{ path: textAt(item, 'path'), content, mode: modeOf(item, mode) }];
  });
}

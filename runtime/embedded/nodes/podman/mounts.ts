import { at, listAt, textAt } from '../../api/json.ts';
import type { Container, Pod } from '../shapes.ts';
import { volumePath } from './claims.ts';
import { areMounted, placeBelow } from './subPaths.ts';
import type { PodmanWorld } from './world.ts';

/** What a container has mounted: a folder or a file of this machine, or a volume of podman by its name. */
export interface Mount {
  readonly is: 'place' | 'volume';
  readonly source: string;
  readonly target: string;
  readonly isReadOnly: boolean;
  /** Whether containers choose what is at its source. */
  readonly isBelow: boolean;
}

/** The mounts that the spec of a container asks for. */
export async function mountsOf(
  { podman, volumes }: Pick<PodmanWorld, 'podman' | 'volumes'>,
  pod: Pod,
  container: Container,
): Promise<readonly Mount[]> {
  const mounts: Mount[] = [];
  for (const mount of listAt(container, 'volumeMounts')) {
    const [name, subPath] = [textAt(mount, 'name'), textAt(mount, 'subPath')];
    const source = volumes.sourceOf(pod, name);
    if (source === null) continue;
    const isFilled = source.is === 'folder' && source.isFilled;
    const isReadOnly = isFilled || at(mount, 'readOnly') === true;
    const own = { target: textAt(mount, 'mountPath'), isReadOnly };
    if (subPath === '' && source.is === 'volume') {
      mounts.push({ ...own, is: 'volume', source: source.name, isBelow: false });
      continue;
    }
    const root = source.is === 'folder' ? source.path : await volumePath(podman, source.name);
    const place = subPath === '' ? root : placeBelow(root, subPath);
    const words = `failed to prepare subPath for volumeMount "${name}" of container "${container.name}"`;
    if (place === null) throw new Error(`${words}: ${subPath} leads out of the volume`);
    mounts.push({ ...own, is: 'place', source: place, isBelow: !isFilled && subPath !== '' });
  }
  return mounts;
}

/** Makes the mounts of a container that was created, and rejects where one of them was led elsewhere meanwhile. */
export async function madeAsAsked({ podman }: Pick<PodmanWorld, 'podman'>, id: string, mounts: readonly Mount[]) {
  const places = mounts.filter(({ isBelow }) => isBelow).map(({ source }) => source);
  if (places.length === 0) return;
  await podman.call({ method: 'POST', path: `/containers/${id}/init` });
  const inspected = await podman.call({ method: 'GET', path: `/containers/${id}/json` });
  const pid = Number(at(inspected, 'State', 'Pid') ?? 0);
  if (!areMounted(places, pid)) throw new Error('a subPath was changed while it was mounted');
}

import type { Bucket, Store } from '../../store.ts';
import { fullName } from './imageName.ts';
import { type Libpod, PodmanError, unlessAbsent } from './libpod.ts';
import { type ListedImage, type OwnImage, type OwnImages, listedImages } from './ownImages.ts';

interface World {
  readonly podman: Libpod;
  readonly store: Store;
  readonly own: OwnImages;
  /** The kinds whose objects name images that are kept. */
  readonly holders: readonly Bucket[];
  readonly now: () => number;
}

/** Nothing names an image in the moment in which it came. */
export const youngMs = 120_000;

/** Removes what was brought here and nobody names any more; resolves to whether something young is left to look at again. */
export async function collectImages({ podman, store, own, holders, now }: World): Promise<boolean> {
  const mine = new Map(own.all().map((one) => [one.id, one]));
  if (mine.size === 0) return false;
  const listed = await listedImages(podman);
  const here = new Map(listed.map((one) => [one.id, one]));
  const gone = new Set([...mine.keys()].filter((id) => !here.has(id)));
  const named = namedIn(store, holders);
  const unnamed = listed.filter((image) => isGarbage(image, mine.get(image.id), named));
  const old = unnamed.filter(({ id }) => now() - (mine.get(id)?.at ?? 0) >= youngMs);
  const going = new Set(unnamed.map(({ id }) => id));
  for (let left = old.filter((image) => mayTakeParents(image, here, going)); left.length > 0;) {
    const parents = new Set([...here.values()].map(({ parent }) => parent));
    const leaves = left.filter(({ id }) => !parents.has(id));
    if (leaves.length === 0) break;
    for (const image of leaves) {
      if (await isRemoved(podman, image.id)) gone.add(image.id);
      here.delete(image.id);
    }
    left = left.filter((image) => !leaves.includes(image));
  }
  if (gone.size > 0) own.forget(gone);
  return unnamed.length > old.length;
}

/** With an image podman removes those below it that have no name, so these have to be garbage too. */
function mayTakeParents(
  image: ListedImage,
  here: ReadonlyMap<string, ListedImage>,
  going: ReadonlySet<string>,
): boolean {
  const parent = here.get(image.parent);
  if (!parent || parent.tags.length > 0) return true;
  return going.has(parent.id) && mayTakeParents(parent, here, going);
}

/** By id and one by one: never by podman's own idea of what is used. */
async function isRemoved(podman: Libpod, id: string): Promise<boolean> {
  try {
    await unlessAbsent(podman.call({ method: 'DELETE', path: `/images/${id}` }));
    return true;
  } catch (why) {
    // Somebody's container or image needs it, or somebody gave it a second name.
    if (why instanceof PodmanError && why.is === 'conflict') return false;
    throw why;
  }
}

interface Named {
  readonly digests: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

/** What nobody names by digest, id or name, and nobody gave another name than ours. */
const isGarbage = ({ id, tags, digests }: ListedImage, mine: OwnImage | undefined, named: Named): boolean =>
  mine !== undefined &&
  !named.digests.has(`sha256:${id}`) &&
  !digests.some((digest) => named.digests.has(digest)) &&
  tags.every((tag) => tag === fullName(mine.name) && !named.names.has(tag));

/** All digests in the objects, wherever they stand, and the names of the images of containers. */
export function namedIn(store: Store, holders: readonly Bucket[]): Named {
  const digests = new Set<string>();
  const names = new Set<string>();
  for (const object of holders.flatMap((bucket) => store.list(bucket))) {
    const text = JSON.stringify(object);
    for (const [digest] of text.matchAll(/sha256:[0-9a-f]{64}/g)) digests.add(digest);
    for (const [, name = ''] of text.matchAll(/"image":"([^"\\]+)"/g)) names.add(fullName(name));
  }
  return { digests, names };
}

import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { at, listAt, textAt } from '../../api/json.ts';
import type { Libpod } from './libpod.ts';

/** An image that this node brought to the machine, under the name that it was asked for. */
export interface OwnImage {
  readonly id: string;
  readonly name: string;
  readonly at: number;
}

/** An image as podman lists it. */
export interface ListedImage {
  readonly id: string;
  /** The image of which it is the next layer; empty where there is none. */
  readonly parent: string;
  readonly tags: readonly string[];
  /** The digests under which it is known. */
  readonly digests: readonly string[];
}

/** The images that this node pulled or built: only these are ever removed. */
export interface OwnImages {
  /** Runs what brings an image here and resolves to its id; what was here before is not ours. */
  readonly bring: (name: string, make: () => Promise<string>) => Promise<string>;
  readonly all: () => readonly OwnImage[];
  readonly forget: (ids: ReadonlySet<string>) => void;
}

interface World {
  readonly podman: Libpod;
  /** Where they are written down, one on a line. */
  readonly file: string;
  readonly now: () => number;
  readonly brought?: () => void;
}

export function createOwnImages({ podman, file, now, brought = () => {} }: World): OwnImages {
  const own = new Map(entriesIn(file).map((one) => [one.id, one]));

  function add(entry: OwnImage) {
    own.set(entry.id, entry);
    appendFileSync(file, lineOf(entry), { mode: 0o600 });
  }

  return {
    async bring(name, make) {
      const before = new Set((await listedImages(podman)).map(({ id }) => id));
      const id = await make();
      const after = new Map((await listedImages(podman)).map((one) => [one.id, one]));
      // The layers of a build are images without a name.
      for (let image = after.get(id); image && !before.has(image.id); image = after.get(image.parent))
        if (!own.has(image.id) || image.id === id) add({ id: image.id, name: image.id === id ? name : '', at: now() });
      // What was built again is young again.
      const known = own.get(id);
      if (known && before.has(id)) add({ ...known, at: now() });
      brought();
      return id;
    },
    all: () => [...own.values()],
    forget(ids) {
      for (const id of ids) own.delete(id);
      writeFileSync(`${file}.new`, [...own.values()].map(lineOf).join(''), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
  };
}

const lineOf = (entry: OwnImage) => `${JSON.stringify(entry)}\n`;

/** A line that was cut off as the machine went down is no entry. */
function entriesIn(file: string): readonly OwnImage[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        const read: unknown = JSON.parse(line);
        return [{ id: textAt(read, 'id'), name: textAt(read, 'name'), at: Number(at(read, 'at') ?? 0) }];
      } catch {
        return [];
      }
    });
}

/** All images on the machine, layers of builds too. */
export async function listedImages(podman: Libpod): Promise<readonly ListedImage[]> {
  const images = await podman.call({ method: 'GET', path: '/images/json', query: { all: 'true' } });
  const texts = (one: unknown, field: string) => listAt(one, field).filter((text) => typeof text === 'string');
  return listAt({ images }, 'images').map((one) => ({
    id: textAt(one, 'Id'),
    parent: textAt(one, 'ParentId'),
    tags: texts(one, 'RepoTags'),
    digests: [textAt(one, 'Digest'), ...texts(one, 'RepoDigests').map((text) => text.split('@')[1] ?? '')],
  }));
}

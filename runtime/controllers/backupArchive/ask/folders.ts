import { Effect } from 'effect';
import type { CloudAccount } from '../../../../rules/cloud/account.ts';
import { isInFolder } from '../../../../rules/backup/folder.ts';
import { baseEnd, baseIn, dumpIn, type RestorePoint } from '../../../../rules/backup/points.ts';
import { Cloud, type CloudFailed, type CloudObject } from '../../../services/cloud.ts';

/** Where the backups of an archive are listed. */
export interface Folder {
  readonly account: CloudAccount;
  readonly bucket: string;
  /** With a slash at its end. */
  readonly prefix: string;
}

type Listed<A> = Effect.Effect<A, CloudFailed, Cloud>;

/** Every object under a part of the folder, page by page. */
export const objectsUnder = ({ account, bucket, prefix }: Folder, part: string): Listed<readonly CloudObject[]> =>
  Effect.gen(function* () {
    const cloud = yield* Cloud;
    const found: CloudObject[] = [];
    let from: string | null = null;
    for (;;) {
      const page: { readonly items: readonly CloudObject[]; readonly next: string | null } = yield* cloud.objects(
        account,
        bucket,
        { prefix: `${prefix}${part}`, from },
      );
      found.push(...page.items.filter(({ key }) => isInFolder(key, prefix)));
      // Prevents an endless loop when a store repeats its marker.
      if (page.next === null || page.next === from) return found;
      from = page.next;
    }
  });

const namesIn = ({ prefix }: Folder, objects: readonly CloudObject[]) =>
  objects.map(({ key }) => key.slice(prefix.length));

/** The dumps of MySQL and SQLite. */
export const dumpsIn = (folder: Folder): Listed<readonly RestorePoint[]> =>
  Effect.map(objectsUnder(folder, 'dumps/'), (objects) =>
    namesIn(folder, objects).flatMap((name) => dumpIn(name) ?? []),
  );

/** The ids of all base backups of Postgres, including running ones. */
export const baseIds = (folder: Folder): Listed<readonly string[]> =>
  Effect.map(objectsUnder(folder, 'base/'), (objects) =>
    namesIn(folder, objects).flatMap((name) => baseIn(name) ?? []),
  );

/** The base backups of Postgres; the description of one that has ended is read once. */
export const basesIn = Effect.fnUntraced(function* (
  folder: Folder,
  ends: Map<string, number>,
): Effect.fn.Return<readonly RestorePoint[], CloudFailed, Cloud> {
  const cloud = yield* Cloud;
  const ids = yield* baseIds(folder);
  const points: RestorePoint[] = [];
  for (const id of ids) {
    const known = ends.get(id);
    const text = known === undefined ? yield* cloud.read(folder.account, folder.bucket, infoKey(folder, id)) : null;
    const at = known ?? (text === null ? null : baseEnd(text));
    if (at === null) continue;
    ends.set(id, at);
    points.push({ id, at });
  }
  for (const id of ends.keys()) if (!ids.includes(id)) ends.delete(id);
  return points;
});

export const infoKey = ({ prefix }: Folder, id: string) => `${prefix}base/${id}/backup.info`;

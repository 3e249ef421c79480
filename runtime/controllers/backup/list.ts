import { gunzipSync } from 'node:zlib';
import { Effect } from 'effect';
import type { CloudAccount } from '../../../rules/cloud/account.ts';
import { lastEndIn } from '../../../rules/backup/changeLog.ts';
import { isInFolder } from '../../../rules/backup/folder.ts';
import { baseEnd, baseIn, dumpIn, type RestorePoint } from '../../../rules/backup/points.ts';
import { Cloud, type CloudFailed, type CloudObject } from '../../services/cloud.ts';

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
      // A store that repeats its marker would be listed for ever.
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

/** The base backups of Postgres; the description of one that has ended is read once. */
export const basesIn = Effect.fnUntraced(function* (
  folder: Folder,
  ends: Map<string, number>,
): Effect.fn.Return<readonly RestorePoint[], CloudFailed, Cloud> {
  const cloud = yield* Cloud;
  const names = namesIn(folder, yield* objectsUnder(folder, 'base/'));
  const ids = names.flatMap((name) => baseIn(name) ?? []);
  const points: RestorePoint[] = [];
  for (const id of ids) {
    const known = ends.get(id);
    const text = known === undefined ? yield* cloud.read(folder.account, folder.bucket, keyOf(folder, id)) : null;
    const at = known ?? (text === null ? null : baseEnd(text));
    if (at === null) continue;
    ends.set(id, at);
    points.push({ id, at });
  }
  for (const id of ends.keys()) if (!ids.includes(id)) ends.delete(id);
  return points;
});

const keyOf = ({ prefix }: Folder, id: string) => `${prefix}base/${id}/backup.info`;

/** A segment of the change log, as it is archived: whole, and compressed or not. */
const segmentName = /\/[0-9A-F]{24}(\.[a-z0-9]+)?$/;

/**
 * Whether a transaction ended after a moment and is archived: a recovery to the moment stops at the first of those. What
 * else follows, as of a checkpoint or a base backup, is passed over.
 */
export const isReached = Effect.fnUntraced(function* (
  folder: Folder,
  at: number,
): Effect.fn.Return<boolean, CloudFailed, Cloud> {
  const cloud = yield* Cloud;
  const newer = (yield* objectsUnder(folder, 'wals/')).filter(
    ({ key, modified }) => modified > at && segmentName.test(key),
  );
  // The last transaction is in the newest segment that has any.
  for (const { key } of newer.toSorted((a, b) => b.modified - a.modified || (a.key < b.key ? 1 : -1))) {
    const stored = yield* cloud.bytes(folder.account, folder.bucket, key);
    const last = stored === null ? none : lastEndIn(unpacked(stored));
    if (last.is !== 'none') return last.is === 'unknown' || last.at > at;
  }
  return false;
});

const none = { is: 'none' } as const;

/** The bytes of a segment; those that are not compressed by gzip stay as they are. */
function unpacked(stored: Uint8Array): Uint8Array {
  try {
    return gunzipSync(stored);
  } catch {
    return stored;
  }
}

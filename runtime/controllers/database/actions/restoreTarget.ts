import { gunzipSync } from 'node:zlib';
import { Effect } from 'effect';
import type { RecoveryTarget } from '../../../../rules/backup/barman.ts';
import { lastEndIn, segmentsOf } from '../../../../rules/backup/changeLog.ts';
import { archivedWithinMs, baseEnd, baseStop } from '../../../../rules/backup/points.ts';
import { msOf } from '../../../../rules/time.ts';
import { Cloud, type CloudFailed } from '../../../services/cloud.ts';
import { baseIds, type Folder, infoKey, objectsUnder } from '../../backupArchive/read.ts';

type Asking<A> = Effect.Effect<A, CloudFailed, Cloud>;

/** The largest difference between the clocks of a server and its store. */
const skewMs = 600_000;
/** Longer than saving a change log takes: until then a transaction may not have arrived. */
const graceMs = 60_000;

/** A base backup: when it ended, and where in the change log. */
interface Base {
  readonly id: string;
  readonly at: number;
  readonly stop: bigint | null;
}

/** The newest base backup that had ended by a moment; their ids are the times at which they began. */
const baseBefore = (folder: Folder, moment: number): Asking<Base | null> =>
  Effect.gen(function* () {
    const cloud = yield* Cloud;
    const ids = yield* baseIds(folder);
    for (const id of ids.toSorted().toReversed()) {
      const info = yield* cloud.read(folder.account, folder.bucket, infoKey(folder, id));
      const at = info === null ? null : baseEnd(info);
      if (info !== null && at !== null && at <= moment) return { id, at, stop: baseStop(info) };
    }
    return null;
  });

/**
 * The recovery target for the state of a moment. Postgres stops at the first transaction that ended later, and fails
 * when none is archived. Then the last archived transaction is the target, so that later changes of the original are
 * not restored. Without a transaction since the last base backup, that is the target. Null while a transaction from
 * before the moment may still arrive in the archive.
 */
export const targetAt = Effect.fnUntraced(function* (
  folder: Folder,
  time: string,
  now: number,
): Effect.fn.Return<RecoveryTarget | null, CloudFailed, Cloud> {
  const byTime: RecoveryTarget = { is: 'time', time };
  const moment = msOf(time);
  const base = yield* baseBefore(folder, moment);
  if (base === null) return byTime;
  const point: RecoveryTarget = { is: 'point', id: base.id };
  if (base.at === moment) return point;
  const isWhole = now > moment + archivedWithinMs + graceMs;
  const cloud = yield* Cloud;
  const segments = segmentsOf(yield* objectsUnder(folder, 'wals/'));
  // What was archived before the base backup ended is part of it.
  for (const { key } of segments.filter(({ modified }) => modified > base.at - skewMs)) {
    const stored = yield* cloud.bytes(folder.account, folder.bucket, key);
    const last = stored === null ? none : lastEndIn(unpacked(stored));
    if (last.is === 'none') continue;
    if (last.is === 'unknown' || last.at > moment) return byTime;
    if (!isWhole) return null;
    const isIncluded = base.stop !== null && last.position <= base.stop;
    return isIncluded ? point : { is: 'position', id: base.id, position: last.position };
  }
  return isWhole ? point : null;
});

const none = { is: 'none' } as const;

/** The bytes of a segment; decompresses gzip. */
function unpacked(stored: Uint8Array): Uint8Array {
  try {
    return gunzipSync(stored);
  } catch {
    return stored;
  }
}

import { appendFile, readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Clock, Effect } from 'effect';
import { isoTime, msOf } from '../../rules/time.ts';
import type { JournalShape, Tombstone } from './journal.ts';
import { makeFolder } from '../embedded/index.ts';

const dayMs = 24 * 3_600_000;
const keptMs = 30 * dayMs;

const dayOf = (ms: number) => isoTime(ms).slice(0, 10);

const parse = (line: string): readonly Tombstone[] => {
  try {
    return [JSON.parse(line) as Tombstone];
  } catch {
    return []; // A crash cut this line short.
  }
};

/**
 * `<directory>/<day>.ndjson`, one file a day; files older than 30 days are deleted when the first line of a new day is
 * written.
 */
export function fileJournal(directory: string): JournalShape {
  let cleanedOn = '';
  const clean = async (now: number) => {
    if (cleanedOn === dayOf(now)) return;
    cleanedOn = dayOf(now);
    const oldest = dayOf(now - keptMs);
    for (const file of await readdir(directory)) if (file.slice(0, 10) < oldest) await unlink(join(directory, file));
  };
  /**
   * The archived uids: an object is archived by the pass that ends it, and may be a second time when the watch reports
   * the deletion.
   */
  const kept = { on: '', uids: Promise.resolve(new Set<string>()) };
  const uidsKept = (now: number) => {
    if (kept.on === dayOf(now)) return kept.uids;
    kept.on = dayOf(now);
    kept.uids = since(now - keptMs).then((those) => new Set(those.map(({ uid }) => uid)));
    kept.uids.catch(() => (kept.on = ''));
    return kept.uids;
  };
  const archive = async (tombstone: Tombstone, now: number) => {
    makeFolder(directory);
    const uids = await uidsKept(now);
    if (uids.has(tombstone.uid)) return;
    uids.add(tombstone.uid);
    try {
      await appendFile(join(directory, `${dayOf(now)}.ndjson`), `${JSON.stringify(tombstone)}\n`);
    } catch (error) {
      uids.delete(tombstone.uid);
      throw error;
    }
    await clean(now);
  };
  const since = async (ms: number) => {
    const files = (await readdir(directory)).filter((file) => file.slice(0, 10) >= dayOf(ms)).toSorted();
    const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')));
    return texts
      .flatMap((text) => text.split('\n'))
      .flatMap((line) => (line === '' ? [] : parse(line)))
      .filter(({ deletedAt }) => msOf(deletedAt) >= ms);
  };
  return {
    archive: (tombstone) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.tryPromise(() => archive(tombstone, now))).pipe(
        Effect.catch((error) => Effect.logWarning('failed to keep history of deleted object', error)),
      ),
    since: (ms) => Effect.tryPromise(() => since(ms)).pipe(Effect.catch(() => Effect.succeed([]))),
  };
}

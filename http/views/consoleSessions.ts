import type { CoreConsoleSession } from '../../crds/coreConsoleSession.ts';
import { isOfStore } from '../../rules/consoleSession/target.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';
import { sessionState } from '../../runtime/controllers/consoleSession/read.ts';
import { consoleSessions } from '../../runtime/services/cluster/kinds.ts';
import type { ConsoleSessionItem } from '../routes/consoles/shapes.ts';

function itemOf(session: CoreConsoleSession): ConsoleSessionItem {
  const { metadata, spec, status = {} } = session;
  const state = sessionState(session);
  return {
    session: metadata.name,
    actor: spec.actor ?? '',
    pod: spec.pod,
    container: spec.container,
    phase: state === 'Attached' ? 'Active' : state,
    attached: state === 'Attached',
    createdAt: metadata.creationTimestamp ?? null,
    startedAt: status.startedAt ?? null,
    endedAt: status.endedAt ?? null,
    timeoutSeconds: spec.timeoutSeconds,
    reason: status.reason ?? '',
  };
}

const newerFirst = (a: ConsoleSessionItem, b: ConsoleSessionItem): number => {
  const [one, other] = [a, b].map(({ startedAt, createdAt }) => Date.parse(startedAt ?? createdAt ?? '') || 0);
  return (other ?? 0) - (one ?? 0) || (a.session < b.session ? -1 : 1);
};

/** The sessions of a service, the newest first. */
export const sessionsOfApp = (app: string, reader: CacheReader): readonly ConsoleSessionItem[] =>
  reader
    .list(consoleSessions)
    .filter(({ spec }) => spec.app === app && !isOfStore(spec))
    .map(itemOf)
    .toSorted(newerFirst);

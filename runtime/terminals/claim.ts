import { Clock, Effect, Latch } from 'effect';
import type { CoreConsoleSession } from '../../crds/coreConsoleSession.ts';
import { attachText, isOtherOrigin } from '../../rules/consoleSession/attach.ts';
import { noRequest } from '../../rules/consoleSession/facts.ts';
import { consoleSessionLimits as limits } from '../../rules/consoleSession/limits.ts';
import type { Undecided } from '../command/command.ts';
import type { Cluster, ReadError, WriteError } from '../services/cluster/cluster.ts';
import type { SessionLease } from './holding.ts';
import { sessionIn, type Sessions } from './sessions.ts';
import { type Attached, type AttachRefusal, type AttachRequest, refused } from './terminal.ts';

const activationSeenWithinMs = 1_000;

/** Repeats the decision while the session is being activated, shortly after its creation. */
const decide = Effect.fnUntraced(function* (sessions: Sessions, request: AttachRequest, holder: string) {
  const { byCookie, originMatches, session, by } = request;
  const startedAt = yield* Clock.currentTimeMillis;
  const change = Latch.makeUnsafe(false);
  const unsubscribe = sessions.onChange(session, () => change.openUnsafe());
  yield* Effect.addFinalizer(() => Effect.sync(unsubscribe));
  for (;;) {
    change.closeUnsafe();
    const attachWaitedMs = Math.max(0, (yield* Clock.currentTimeMillis) - startedAt);
    const asked = { is: 'attach', holder, actor: by, byCookie, originMatches, attachWaitedMs } as const;
    const decided = yield* sessions.decide(session, asked, by);
    if (decided.event !== 'attachAwaited') return decided;
    yield* Effect.raceFirst(Effect.sleep(activationSeenWithinMs), change.await);
  }
}, Effect.scoped);

/** The refusal for a session that does not exist or belongs to another object. */
function absent({ byCookie, originMatches }: AttachRequest): Attached {
  const asked = { ...noRequest, byCookie, originMatches };
  const { text } = attachText('absent', asked, limits);
  return refused(isOtherOrigin(asked) ? 'originRefused' : 'sessionMissed', text);
}

/** Records in the session that this process holds its terminal; returns the session, or the refusal. */
export const claimSession = Effect.fnUntraced(function* (
  sessions: Sessions,
  holding: SessionLease,
  request: AttachRequest,
  holder: string,
): Effect.fn.Return<CoreConsoleSession | Attached, ReadError | WriteError | Undecided, Cluster> {
  const found = yield* sessions.find(request.session);
  if (found === null || !request.isOf(found)) return absent(request);
  // An ended session needs no Lease to be refused.
  if (found.status?.endedAt === undefined || found.status.endedAt === null) yield* holding.take(holder);
  const decided = yield* decide(sessions, request, holder);
  const session = sessionIn(decided);
  const { event, text } = decided;
  if (event === 'attached' && session !== null && session.status?.terminal?.holder === holder) return session;
  if (event === null) return refused('lateAttachRefused', 'console session has ended');
  return refused(event as AttachRefusal, text);
});

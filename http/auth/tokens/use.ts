import { Result } from 'effect';
import { isWithin } from '../../../rules/time.ts';
import type { TokenCaller } from '../../../rules/access/caller.ts';
import { errorMessage } from '../../../rules/errorMessage.ts';
import type { ServerContext } from '../../context.ts';
import { transitionToken } from './lifecycle.ts';
import { kindOf, tokenData, type TokenRecord } from './records.ts';
import { hasHash, readToken } from './text.ts';
import type { Vault } from './vault.ts';

/** Pause after a failed attempt to record a last use; otherwise every request would try again. */
const failedPauseMs = 60_000;

/** The caller of a token text now; null where it is malformed, unknown, revoked or expired. Records the last use. */
export function makeTokenUse({ now, run, log }: ServerContext, vault: Vault): (text: string) => TokenCaller | null {
  /** Tokens whose last use is being recorded, and the time of the last failure to do so. */
  const recording = new Set<string>();
  const failedAt = new Map<string, number>();

  const isToBeRecorded = (record: TokenRecord) =>
    transitionToken(record, rightUse, now()).actions.includes('recordUse');
  const written = async (id: string): Promise<string | null> => {
    const used = vault.change(({ tokens }) => {
      const record = tokens.get(id);
      // Another replica may have recorded it in the meantime.
      const keys = record && isToBeRecorded(record) ? tokenData({ ...record, lastUsedAt: now() }) : null;
      return { keys, result: undefined };
    });
    const result = await run(used);
    return Result.isSuccess(result) ? null : errorMessage(result.failure);
  };

  /** Runs beside the request, which neither waits for it nor fails with it. */
  const recordUse = async (id: string) => {
    if (recording.has(id) || isWithin(now(), failedAt.get(id) ?? Number.NEGATIVE_INFINITY, failedPauseMs)) return;
    recording.add(id);
    const failure = await written(id).catch(String);
    recording.delete(id);
    if (failure === null) {
      failedAt.delete(id);
    } else {
      failedAt.set(id, now());
      log('warn', 'failed to record last use of API token', { tokenId: id, error: failure });
    }
  };

  return (text) => {
    const sent = readToken(text);
    if (sent === null) return null;
    const found = vault.held().tokens.get(sent.id);
    const isKnown = hasHash(sent.secret, found?.hash);
    const secretRight = isKnown && found !== undefined && kindOf(found) === sent.kind;
    const { actions } = transitionToken(found, { is: 'use', secretRight }, now());
    if (found === undefined || !actions.includes('accept')) return null;
    if (actions.includes('recordUse')) void recordUse(found.id);
    return callerOf(found);
  };
}

const rightUse = { is: 'use', secretRight: true } as const;

const callerOf = ({ id, name, role, scope, expiresAt }: TokenRecord): TokenCaller => ({
  with: 'token',
  id,
  username: `token:${name}`,
  role,
  scope,
  expiresAt,
});

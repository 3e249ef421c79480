import { randomBytes } from 'node:crypto';
import { Result } from 'effect';
import { why } from '../../runtime/services/why.ts';
import type { Serving } from '../serving.ts';
import { directoryOf, sessionKeyName } from './directory.ts';
import { changeAuthSecret } from './secret.ts';
import { tendAuthSecret, type Tending } from './tending.ts';

const keyBytes = 32;

/** The part of the sign-in Secret that holds a new key: every cookie sealed with another one is void. */
export const newSessionKey = (): Readonly<Record<string, string>> => ({
  [sessionKeyName]: randomBytes(keyBytes).toString('base64'),
});

/** Makes a new key whenever somebody takes it out of the Secret: that ends every session. */
export const keepSessionKey = (serving: Serving): Tending =>
  tendAuthSecret(serving, async (secret) => {
    if (directoryOf(secret).sessionKey !== null) return null;
    const { operator, run, log } = serving;
    const written = await run(
      changeAuthSecret(operator.caches, (newest) => (directoryOf(newest).sessionKey === null ? newSessionKey() : null)),
    );
    if (Result.isFailure(written)) return `no session-key could be made: ${why(written.failure)}`;
    log('info', 'made a new session-key: every session is over');
    return null;
  });

import { Clock, Effect } from 'effect';
import { request } from 'undici';
import { bodyText } from '../bodyText.ts';
import { fingerprint } from '../git/ask.ts';
import { meaningOf, whyNone } from '../git/failure.ts';
import { lru } from '../lru.ts';
import { type ProviderAccount, ProviderFailed } from '../managedDb.ts';

/** One request to the provider, below the organization of the account. */
interface ProviderRequest<T> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Parses the response; null when it does not have the documented shape. */
  readonly read: (data: unknown) => T | null;
}

export type Ask = <T>(account: ProviderAccount, asked: ProviderRequest<T>) => Effect.Effect<T, ProviderFailed>;

const maxAnswer = 4 * 1024 * 1024;
const kept = 1_000;
/** A header would reject anything else, with an error that shows the token. */
const canBeSent = (token: string) => /^[\x21-\x7e]+$/.test(token);
/** A path segment that would change the path. */
const leadsElsewhere = (part: string) => ['', '.', '..'].includes(part);
const silent = (message: string) => new ProviderFailed({ message, status: 0 });

const addressOf = (
  baseUrl: string,
  { organization }: ProviderAccount,
  { path, query = {} }: ProviderRequest<unknown>,
): string => {
  const parts = ['organizations', organization, ...path].map(encodeURIComponent);
  const search = new URLSearchParams(query).toString();
  return `${baseUrl}/${parts.join('/')}${search === '' ? '' : `?${search}`}`;
};

/** The failure of a response; its text never contains request data. */
function rejected(status: number, headers: Readonly<Record<string, unknown>>, now: number): ProviderFailed {
  const meaning = meaningOf({ status, headers: headers as Readonly<Record<string, string>>, data: null }, now);
  if (meaning.is === 'limited')
    return new ProviderFailed({ message: 'its rate limit is reached', status, until: meaning.until });
  return new ProviderFailed({ message: meaning.is === 'refused' ? meaning.status : meaning.why, status });
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends a request once, within a timeout. No request of an account is sent while its rate limit lasts. */
export function providerAsk({ baseUrl, timeoutMs }: { readonly baseUrl: string; readonly timeoutMs: number }): Ask {
  const limits = lru<{ readonly until: number }>(kept);
  const base = baseUrl.replace(/\/+$/, '');
  const send = async <T>(account: ProviderAccount, asked: ProviderRequest<T>, signal: AbortSignal) => {
    const { statusCode, headers, body } = await request(addressOf(base, account, asked), {
      method: asked.method,
      signal,
      headers: {
        accept: 'application/json',
        authorization: account.token,
        ...(asked.body ? { 'content-type': 'application/json' } : {}),
      },
      body: asked.body ? JSON.stringify(asked.body) : null,
    });
    return { status: statusCode, headers, text: await bodyText(body, maxAnswer) };
  };
  return Effect.fnUntraced(function* <T>(account: ProviderAccount, asked: ProviderRequest<T>) {
    if ([account.organization, ...asked.path].some(leadsElsewhere))
      return yield* new ProviderFailed({ message: 'the name cannot be sent', status: 400 });
    if (!canBeSent(account.token))
      return yield* new ProviderFailed({ message: 'the token cannot be sent', status: 401 });
    const key = fingerprint(account.token);
    const until = limits.get(key)?.until ?? 0;
    const now = yield* Clock.currentTimeMillis;
    if (until > now) return yield* new ProviderFailed({ message: 'its rate limit is reached', status: 429, until });
    const { status, headers, text } = yield* Effect.tryPromise({
      try: (signal) => send(account, asked, signal),
      catch: (error) => silent(whyNone(error)),
    }).pipe(
      Effect.timeoutOrElse({
        duration: timeoutMs,
        orElse: () => Effect.fail(silent(`no answer within ${timeoutMs / 1_000} s`)),
      }),
    );
    if (status < 200 || status >= 300) {
      const failure = rejected(status, headers, yield* Clock.currentTimeMillis);
      if (failure.until !== undefined) limits.set(key, { until: failure.until });
      return yield* failure;
    }
    const value = asked.read(parsed(text));
    return value === null ? yield* silent('its answer is not what was asked for') : value;
  });
}

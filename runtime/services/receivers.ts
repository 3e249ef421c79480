import { lookup } from 'node:dns/promises';
import { request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Context, Effect } from 'effect';
import type { ReceiverAnswer } from '../../rules/webhookDelivery/facts.ts';
import { type AddressCheck, hostOf } from '../../rules/webhookDelivery/addressCheck.ts';
import { errorMessage } from '../../rules/errorMessage.ts';

/** One attempt of a delivery. */
export interface ReceiverRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
}

export interface ReceiversShape {
  readonly post: (request: ReceiverRequest) => Effect.Effect<ReceiverAnswer>;
}

/** The receivers of webhooks. */
export class Receivers extends Context.Service<Receivers, ReceiversShape>()('core/Receivers') {}

interface Address {
  readonly address: string;
  readonly family: number;
}

/** Ends with the response headers; uses no proxy, follows no redirect and keeps no connection. */
function posted(url: URL, { headers, body }: ReceiverRequest, options: RequestOptions): Promise<ReceiverAnswer> {
  const length = String(Buffer.byteLength(body));
  const sending = { ...options, method: 'POST', agent: false, headers: { ...headers, 'Content-Length': length } };
  return new Promise((resolve, reject) => {
    const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, sending, (response) => {
      resolve({ is: 'answered', code: response.statusCode ?? 0 });
      response.destroy();
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Returns the checked addresses without another DNS query. */
const lookupOf =
  (addresses: readonly Address[]): LookupFunction =>
  (host, { all }, give) => {
    const [first] = addresses;
    if (all) give(null, [...addresses]);
    else if (first) give(null, first.address, first.family);
    else give(new Error(`getaddrinfo ENOTFOUND ${host}`), '');
  };

/** Resolves once, checks every address, connects to a checked one. */
async function call(given: ReceiverRequest, check: AddressCheck, signal: AbortSignal): Promise<ReceiverAnswer> {
  const url = new URL(given.url);
  const refusal = check({ url, ip: null });
  if (refusal !== null) return { is: 'refused', refusal };
  const host = hostOf(url);
  const addresses = isIP(host) === 0 ? await lookup(host, { all: true }) : [{ address: host, family: isIP(host) }];
  for (const { address } of addresses) {
    const refused = check({ url, ip: address });
    if (refused !== null) return { is: 'refused', refusal: refused };
  }
  return posted(url, given, { lookup: lookupOf(addresses), signal });
}

/** Posts over HTTP; the timeout of a request includes the DNS lookup. */
export const nodeReceivers = (check: AddressCheck): ReceiversShape => ({
  post: (given) =>
    Effect.promise(async (): Promise<ReceiverAnswer> => {
      const signal = AbortSignal.timeout(given.timeoutMs);
      const late = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('receiver did not answer within 10 s')));
      });
      const calling = call(given, check, signal);
      // It may still fail after the timeout.
      calling.catch(() => {});
      try {
        return await Promise.race([calling, late]);
      } catch (error) {
        return {
          is: 'networkError',
          why: signal.aborted ? 'receiver did not answer within 10 s' : errorMessage(error),
        };
      }
    }),
});

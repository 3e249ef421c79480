import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../surroundings.ts';
import { traceOf } from '../thrown.ts';
import type { Access } from './access.ts';
import { isMaster } from './authorization/caller.ts';
import { inWantedType, refusalOf, retryAfterOf, send } from './answer.ts';
import { type Backing, route } from './router.ts';
import { StatusError } from './status.ts';
import { type Address, addressOf, plainUrl } from './url.ts';
import { type Warnings, createWarnings } from './warnings.ts';
import type { YamlReader } from './yaml/reader.ts';

type Responder = (request: IncomingMessage, response: ServerResponse) => void;

/** Responds to requests. Whatever is thrown for one of them, also while it is refused, ends that one alone. */
export function responder(backing: Backing, { admit }: Pick<Access, 'admit'>, log: Log): Responder {
  const logFailure = failureLog(log);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = plainAddress(request);
    const warnings = createWarnings();
    let sender = '';
    try {
      const admitted = admit(request, address);
      sender = admitted.sender;
      backing.held.add(sender, response);
      backing.inFlight.count(admitted.asked, isMaster(admitted.caller), response);
      const answered = await route(backing, request, response, { address, ...admitted, warn: warnings.add });
      const wanted = await inWantedType({ request, address, yaml: backing.yaml, sender }, answered);
      send(response, wanted, warnings.headers());
    } catch (why) {
      if (!(why instanceof StatusError)) logFailure(request, why);
      if (response.headersSent) return void response.destroy();
      await refuse({ request, response, address, warnings, yaml: backing.yaml, sender }, why);
    }
  }

  return (request, response) => {
    response.on('error', (why) => {
      logFailure(request, why);
      response.destroy();
    });
    answer(request, response).catch((why: unknown) => {
      logFailure(request, why);
      giveUp(response);
    });
  };
}

/** Clients that still ask for a watch by its old path are answered as if they had asked by today's. */
function plainAddress(request: IncomingMessage): Address {
  request.url = plainUrl(request.url ?? '/');
  return addressOf(request.url);
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly address: Address;
  readonly warnings: Warnings;
  readonly yaml: YamlReader;
  /** Empty for who was not let in. */
  readonly sender: string;
}

async function refuse({ request, response, address, warnings, yaml, sender }: Exchange, why: unknown): Promise<void> {
  // What is left of a body that nobody read would be taken for the next request.
  if (!request.complete) response.setHeader('Connection', 'close');
  const seconds = retryAfterOf(why);
  if (seconds !== null) response.setHeader('Retry-After', seconds);
  const wanted = await inWantedType({ request, address, yaml, sender }, refusalOf(why));
  send(response, wanted, warnings.headers());
}

/** The last resort, of fixed text alone: not even the refusal could be sent. */
function giveUp(response: ServerResponse): void {
  if (response.headersSent) return void response.destroy();
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  response.writeHead(500, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
  response.end('the request failed; the log of the server says why\n');
}

/** No query: it may carry what was searched for. */
const failureLog =
  (log: Log) =>
  ({ method, url = '' }: IncomingMessage, why: unknown): void =>
    log('error', 'request to the Kubernetes API failed', { method, path: url.split('?')[0], cause: traceOf(why) });

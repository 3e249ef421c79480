import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isolateRequests } from '../../embedded/index.ts';
import { connectionLimits, stopOf } from '../../services/connections.ts';
import { type Bodies, bodiesIn } from './bodies.ts';
import { bodyOf } from './http/body.ts';
import { iamAnswer, iamNamespace } from './http/iam.ts';
import { type Answer, refusalAnswer } from './http/answer.ts';
import { answerS3, s3Request } from './http/s3.ts';
import { signedBy } from './http/signature.ts';
import { xmlText } from './http/xml.ts';
import { keptState } from './keptState.ts';
import { cloudModel, type CloudModel } from './model.ts';
import { bodiesOf, orphanedBy } from './orphans.ts';
import { Refusal } from './refusal.ts';
import type { CloudOptions } from './within.ts';

export interface CloudServerOptions extends Pick<
  CloudOptions,
  'accounts' | 'newKeysUnknownMs' | 'withoutVersions' | 'pageSize'
> {
  readonly dataDir: string;
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  readonly log: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

export interface RunningCloud {
  /** The endpoint of both S3 and IAM. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
const randomText = (length: number): string =>
  Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('');

/** The S3 and IAM of a cloud, for one machine: requests must be signed, and responses follow the flush to disk. */
export async function startCloud(options: CloudServerOptions): Promise<RunningCloud> {
  const { dataDir, host, port, log } = options;
  const kept = await keptState(join(dataDir, 'changes.ndjson'));
  const bodies = bodiesIn(join(dataDir, 'bodies'), () => randomText(32), bodiesOf(kept.state));
  const model = cloudModel(
    {
      ...options,
      now: Date.now,
      random: randomText,
      changing: (change) => {
        for (const body of orphanedBy(kept.state, change)) void bodies.remove(body);
      },
      changed: kept.append,
    },
    kept.state,
  );
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await answerOf({ model, bodies, request }).catch((error: unknown) => {
      if (!(error instanceof Refusal)) log('request failed', { error: String(error) });
      return refusalAnswer(error, isIam(request));
    });
    // A response must hold after a power loss.
    await kept.flushed();
    await send(answer, request, response);
  };
  const server = createServer(connectionLimits, (request, response) => {
    serve(request, response).catch((error: unknown) => {
      log('response aborted', { error: String(error) });
      response.destroy();
    });
  });
  server.requestTimeout = 0; // A large dump over a slow connection takes long.
  isolateRequests(server, { onError: ({ message }) => log('server failed', { error: message }) });
  const stop = stopOf(server, 0);
  const url = await new Promise<string>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(urlOf(server.address() as AddressInfo)));
  });
  return {
    url,
    stop: async () => {
      await stop();
      await kept.close();
    },
  };
}

interface Served {
  readonly model: CloudModel;
  readonly bodies: Bodies;
  readonly request: IncomingMessage;
}

/** Whether it is an IAM request: a form sent to the root, which S3 does not have. */
const isIam = ({ method, url }: IncomingMessage): boolean => method === 'POST' && url === '/';

async function answerOf(given: Served): Promise<Answer> {
  const { model, request } = given;
  const signed = signedBy(request, model, Date.now());
  if (!isIam(request)) return answerS3(s3Request({ ...given, signed }));
  const body = await bodyOf({ request, signed, headers: request.headers });
  const told = iamAnswer(model, signed.key, body);
  return { status: 200, headers: { 'content-type': 'text/xml' }, body: xmlText(told, iamNamespace) };
}

async function send({ status, headers, body }: Answer, request: IncomingMessage, response: ServerResponse) {
  response.writeHead(status, headers);
  request.resume();
  if (body === undefined || typeof body === 'string' || request.method === 'HEAD')
    response.end(request.method === 'HEAD' ? undefined : body);
  else await pipeline(body, response);
}

/** An address that reaches the server from this machine; a wildcard address is reached by loopback. */
function urlOf({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '../http/served.ts';
import { msOfOne } from './http.ts';

const rounds = 24;

/** The dashboard's page at `/`, against a bare server that sends the same bytes with the same headers. */
export async function pageAnswer(): Promise<{ ratio: number; oursMs: number; bareMs: number }> {
  const served = await serve();
  const url = `${served.url}/`;
  const { text, headers } = await served.askPlain('/');
  const { connection: _, 'keep-alive': __, date: ___, ...sent } = headers;
  const body = Buffer.from(text);
  const bare = createServer((_request, response) => void response.writeHead(200, sent).end(body));
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`;
  const [ours, bares]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    ours.push(await msOfOne(url, {}));
    bares.push(await msOfOne(bareUrl, {}));
    served.lines.length = served.answered.length = 0;
  }
  bare.close();
  await served.stop();
  // The quietest round of each: what else the machine does only ever adds.
  const [oursMs, bareMs] = [Math.min(...ours), Math.min(...bares)];
  return { ratio: bareMs / oursMs, oursMs, bareMs };
}

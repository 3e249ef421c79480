import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { until } from '../support/environment.ts';

export interface Heard {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads a stream of server-sent events as a browser does. */
export async function listenTo(url: string, headers: Readonly<Record<string, string>>) {
  const heard: Heard[] = [];
  const state = { ended: false };
  const sent = request(url, { headers, agent: false }).end();
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    sent.on('response', resolve).on('error', reject),
  );
  let rest = '';
  response.on('data', (part: Buffer) => {
    const parts = (rest + part.toString()).split('\n\n');
    rest = parts.pop() ?? '';
    for (const piece of parts) heard.push(parse(piece));
  });
  const end = () => void (state.ended = true);
  response.on('close', end).on('error', end);
  sent.on('error', end);
  return {
    heard,
    status: response.statusCode,
    headers: response.headers satisfies IncomingHttpHeaders,
    hasEnded: () => state.ended,
    pause: () => response.pause(),
    close: () => sent.destroy(),
    of: (event: string) => heard.filter((one) => one.event === event),
    until: (holds: (one: Heard) => boolean, what: string) => until(() => heard.find(holds), what),
  };
}

function parse(piece: string): Heard {
  const fields = new Map(piece.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
  return {
    event: fields.get('event') ?? '',
    id: fields.get('id'),
    data: JSON.parse(fields.get('data') ?? '{}') as Heard['data'],
  };
}

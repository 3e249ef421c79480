import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** How a probe came out: why it failed, and what is to be said of one that did not. */
export interface Outcome {
  readonly fault: string | null;
  readonly warning: string | null;
}

interface Asked {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const mostRedirects = 10;
const longestBody = 10_240;
const redirecting: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);

/** Asks an address as a kubelet does: redirects of its own host are followed, and one that leads elsewhere is a good answer. */
export async function httpOutcome(first: Asked): Promise<Outcome> {
  let asked = first;
  for (let redirects = 1; ; redirects += 1) {
    const response = await answered(asked);
    try {
      const next = redirectOf(response, asked);
      if (next?.url.hostname !== first.url.hostname) return await outcomeOf(response);
      const fault = redirects === mostRedirects ? `stopped after ${mostRedirects} redirects` : unsupported(next.url);
      if (fault !== null) return failed(`Get "${next.url.href}": ${fault}`);
      asked = next;
    } finally {
      response.destroy();
    }
  }
}

const failed = (fault: string): Outcome => ({ fault, warning: null });

const unsupported = ({ protocol }: URL): string | null =>
  protocol === 'http:' || protocol === 'https:' ? null : `unsupported protocol scheme "${protocol.slice(0, -1)}"`;

function answered({ url, headers, signal }: Asked): Promise<IncomingMessage> {
  // A kubelet bears lines that end without a carriage return; on this connection nothing follows the answer.
  const options = { headers, signal, agent: false as const, rejectUnauthorized: false, insecureHTTPParser: true };
  return new Promise((done, fail) => {
    const sent = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, done);
    sent.on('error', fail).end();
  });
}

/** What an answer leads to; null where it leads nowhere. The name asked for is kept only where none is given. */
function redirectOf({ statusCode, headers: { location = '' } }: IncomingMessage, asked: Asked): Asked | null {
  if (location === '' || !redirecting.has(statusCode)) return null;
  if (!URL.canParse(location, asked.url))
    throw new Error(`failed to parse Location header ${JSON.stringify(location)}`);
  const headers = Object.entries(asked.headers).filter(
    ([name]) => !URL.canParse(location) || name.toLowerCase() !== 'host',
  );
  return { ...asked, url: new URL(location, asked.url), headers: Object.fromEntries(headers) };
}

async function outcomeOf(response: IncomingMessage): Promise<Outcome> {
  const { statusCode = 0 } = response;
  if (statusCode < 200 || statusCode >= 400) return failed(`HTTP probe failed with statuscode: ${statusCode}`);
  const warning = statusCode < 300 ? null : `Probe terminated redirects, Response body: ${await beginningOf(response)}`;
  return { fault: null, warning };
}

async function beginningOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length >= longestBody) break;
  }
  return text.slice(0, longestBody);
}

import { request } from 'node:https';
import { Effect } from 'effect';
import { lookupOver } from './resolver.ts';
import type { Probed, ProbeShape } from './probe.ts';

const answersWithinMs = 4_000;
const maxAnswer = 4_096;

interface ProbeOptions {
  /** The DNS servers for the lookup; empty for the system's. */
  readonly servers: readonly string[];
  /** Certificates to trust in addition to Node's, as PEM. */
  readonly ca?: string;
}

const silent = (why: string): Probed => ({ is: 'silent', why });

/** Another site at this address may respond, but not with the marker (decision 33). */
function outcomeOf(status: number, body: string): Probed {
  if (status !== 200) return silent(`it answers HTTP ${status}`);
  try {
    const { service } = JSON.parse(body) as { readonly service?: unknown };
    return service === 'core' ? { is: 'answers' } : silent('another site answers');
  } catch {
    return silent('another site answers');
  }
}

const reasonOf = (error: NodeJS.ErrnoException): string => error.code ?? error.message;

/** Probes over HTTPS with a verified certificate; does not follow redirects. */
export const httpsProbe = ({ servers, ca }: ProbeOptions): ProbeShape => {
  const lookup = lookupOver(servers);
  return {
    ask: (host) =>
      Effect.callback<Probed>((resume) => {
        const { hostname, port } = new URL(`https://${host}`);
        const end = (probed: Probed) => {
          asking.destroy();
          resume(Effect.succeed(probed));
        };
        const asking = request({
          hostname,
          port: port || 443,
          path: '/core-probe',
          agent: false,
          signal: AbortSignal.timeout(answersWithinMs),
          ...(lookup === undefined ? {} : { lookup }),
          ...(ca === undefined ? {} : { ca }),
        });
        asking.on('error', (error: NodeJS.ErrnoException) =>
          end(silent(error.name === 'AbortError' ? `no answer within ${answersWithinMs / 1_000} s` : reasonOf(error))),
        );
        asking.on('response', (answer) => {
          let body = '';
          answer.setEncoding('utf8');
          answer.on('data', (piece: string) => {
            body += piece;
            if (body.length > maxAnswer) end(silent('another site answers'));
          });
          answer.on('end', () => end(outcomeOf(answer.statusCode ?? 0, body)));
        });
        asking.end();
        return Effect.sync(() => asking.destroy());
      }),
  };
};

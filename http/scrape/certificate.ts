import { createSecureContext } from 'node:tls';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { program, systemNamespace } from '../../crds/names.ts';
import { keptCertificates } from '../../runtime/embedded/index.ts';

/** A certificate with its key, PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Where a certificate comes from, read anew whenever it is asked for. */
export type CertificateSource = () => Promise<KeyPair>;

/** The names under which the cluster reaches the metrics. */
const serviceNames = () => {
  const service = `${program}-core-metrics.${systemNamespace}`;
  return [hostname(), service, `${service}.svc`, `${service}.svc.cluster.local`];
};

/** A certificate that this program signs itself and keeps in the data directory. */
export const selfSigned =
  (dataDir: string, host: string): CertificateSource =>
  async () => {
    const isAny = host === '0.0.0.0' || host === '::';
    const { certificate, key } = await keptCertificates(join(dataDir, 'metrics'), [
      ...serviceNames(),
      ...(isAny ? [] : [host]),
    ]);
    return { cert: certificate, key };
  };

/** A certificate that somebody else keeps in two files and renews. */
export const fromFiles =
  (certPath: string, keyPath: string): CertificateSource =>
  () => {
    const pair = { cert: readFileSync(certPath, 'utf8'), key: readFileSync(keyPath, 'utf8') };
    // Fails unless the two belong together.
    createSecureContext(pair);
    return Promise.resolve(pair);
  };

/** What a server does with a certificate that came in its old one's place. */
export interface Renewal {
  readonly renewed: (pair: KeyPair) => void;
  readonly failed: (why: string) => void;
}

/** Looks again and again; a mounted Secret is exchanged by a link, which no watch on a file tells. Returns the end. */
export function renew(
  source: CertificateSource,
  first: KeyPair,
  everyMs: number,
  { renewed, failed }: Renewal,
): () => void {
  let current = first;
  let complaint = '';
  async function look() {
    try {
      const pair = await source();
      complaint = '';
      if (pair.cert === current.cert && pair.key === current.key) return;
      current = pair;
      renewed(pair);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      // Said once: the old one is served on.
      if (why !== complaint) failed(why);
      complaint = why;
    }
  }
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

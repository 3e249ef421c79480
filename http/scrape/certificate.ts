import { createSecureContext } from 'node:tls';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { program, systemNamespace } from '../../crds/names.ts';
import type { HeldDataDir } from '../program/heldDataDir.ts';
import { keptCertificates } from '../../runtime/embedded/index.ts';
import { errorMessage } from '../../rules/errorMessage.ts';

/** A certificate with its key, PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** A source of certificates, read anew on every call. */
export type CertificateSource = () => Promise<KeyPair>;

/** The names by which the cluster reaches the metrics. */
const serviceNames = () => {
  const service = `${program}-core-metrics.${systemNamespace}`;
  return [hostname(), service, `${service}.svc`, `${service}.svc.cluster.local`];
};

/** A self-signed certificate, kept in the data directory; while that is lost, the last one stays in use. */
export function selfSigned(dataDir: string, host: string, held: Pick<HeldDataDir, 'fault'>): CertificateSource {
  const isAny = host === '0.0.0.0' || host === '::';
  const hosts = [...serviceNames(), ...(isAny ? [] : [host])];
  let last: KeyPair | null = null;
  return async () => {
    // Who holds the directory reports its loss, and nothing must be made in its place.
    if (last !== null && held.fault() !== null) return last;
    const { certificate, key } = await keptCertificates(join(dataDir, 'metrics'), hosts);
    last = { cert: certificate, key };
    return last;
  };
}

/** A certificate in two files that are renewed elsewhere. */
export const fromFiles =
  (certPath: string, keyPath: string): CertificateSource =>
  () => {
    const pair = { cert: readFileSync(certPath, 'utf8'), key: readFileSync(keyPath, 'utf8') };
    // Throws unless the key belongs to the certificate.
    createSecureContext(pair);
    return Promise.resolve(pair);
  };

/** Callbacks for a replaced certificate. */
export interface Renewal {
  readonly renewed: (pair: KeyPair) => void;
  readonly failed: (why: string) => void;
}

/**
 * Polls, because a mounted Secret is replaced through a symbolic link, which a watch on the file does not report.
 * Returns the function that stops it.
 */
export function renew(
  source: CertificateSource,
  first: KeyPair,
  everyMs: number,
  { renewed, failed }: Renewal,
): () => void {
  let current = first;
  let complaint = '';
  async function reload() {
    try {
      const pair = await source();
      complaint = '';
      if (pair.cert === current.cert && pair.key === current.key) return;
      current = pair;
      renewed(pair);
    } catch (error) {
      const why = errorMessage(error);
      // Reported once; the old certificate stays in use.
      if (why !== complaint) failed(why);
      complaint = why;
    }
  }
  const timer = setInterval(() => void reload(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

import { X509Certificate } from 'node:crypto';

const dayMs = 86_400_000;

/** Everything that a certificate for loopback and `hosts` names. */
export const namesOf = (hosts: readonly string[]) => [...new Set(['localhost', '127.0.0.1', '::1', ...hosts])];

export const isAddress = (host: string) => /^[\d.]+$/.test(host) || host.includes(':');

/** Whether a certificate stays valid for another 30 days. */
export const isLasting = (pem: string): boolean =>
  Date.parse(new X509Certificate(pem).validTo) > Date.now() + 30 * dayMs;

/** Whether a certificate still names these hosts and lasts. */
export function isUsable(pem: string, hosts: readonly string[]): boolean {
  const certificate = new X509Certificate(pem);
  const names = (host: string) =>
    (isAddress(host) ? certificate.checkIP(host) : certificate.checkHost(host, { subject: 'never' })) !== undefined;
  return namesOf(hosts).every(names) && isLasting(pem);
}

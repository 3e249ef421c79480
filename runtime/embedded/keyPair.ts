import { X509Certificate, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { Certificates } from './certificates.ts';

const sample = Buffer.from('core');

/** Fails unless what the private key signs is good for the public key or certificate, or for its own where none is given. */
export function checkKeys(privatePem: string, publicPem = privatePem): void {
  const [privateKey, publicKey] = parsed(() => [createPrivateKey(privatePem), createPublicKey(publicPem)] as const);
  const isPair = parsed(() => verify('sha256', sample, publicKey, sign('sha256', sample, privateKey)));
  if (!isPair) throw new Error('its keys do not belong together');
}

/** Fails unless the authority signed itself and the certificate, and each has its key. */
export function checkCertificates({ ca, caKey, certificate, key }: Certificates): void {
  const isSigned = parsed(() => {
    const authority = new X509Certificate(ca).publicKey;
    return [ca, certificate].every((pem) => new X509Certificate(pem).verify(authority));
  });
  if (!isSigned) throw new Error('its certificates do not belong together');
  checkKeys(caKey, ca);
  checkKeys(key, certificate);
}

/** OpenSSL's own words name its routines. */
function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch {
    throw new Error('it has a key or a certificate that cannot be read');
  }
}

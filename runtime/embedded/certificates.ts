import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { isAddress, namesOf } from './certificateNames.ts';

/** What an HTTPS server on loopback needs; all PEM. */
export interface Certificates {
  readonly ca: string;
  readonly caKey: string;
  readonly certificate: string;
  readonly key: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const dayMs = 86_400_000;

interface Authority {
  readonly certificate: x509.X509Certificate;
  readonly key: CryptoKey;
}

/**
 * A certificate for this machine under its loopback names and `hosts`, of the authority that is given, so that who trusts it
 * still does, or else of a new one.
 */
export async function issueCertificates(
  hosts: readonly string[],
  kept?: Pick<Certificates, 'ca' | 'caKey'>,
): Promise<Certificates> {
  x509.cryptoProvider.set(crypto);
  const authority = kept ? await keptAuthority(kept) : await newAuthority();
  const serverKeys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const server = await x509.X509CertificateGenerator.create(
    {
      ...validity(),
      serialNumber: serialNumber(),
      subject: 'CN=core-embedded-api',
      issuer: authority.certificate.subject,
      publicKey: serverKeys.publicKey,
      signingKey: authority.key,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(alternativeNames(hosts)),
        await x509.AuthorityKeyIdentifierExtension.create(authority.certificate.publicKey, false, crypto),
      ],
    },
    crypto,
  );
  return {
    ca: kept?.ca ?? authority.certificate.toString('pem'),
    caKey: kept?.caKey ?? (await exportKey(authority.key)),
    certificate: server.toString('pem'),
    key: await exportKey(serverKeys.privateKey),
  };
}

const validity = () => ({ notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + 3_650 * dayMs) });

async function newAuthority(): Promise<Authority> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      ...validity(),
      serialNumber: serialNumber(),
      name: 'CN=core-embedded-ca',
      keys,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, crypto),
      ],
    },
    crypto,
  );
  return { certificate, key: keys.privateKey };
}

const keptAuthority = async ({ ca, caKey }: Pick<Certificates, 'ca' | 'caKey'>): Promise<Authority> => ({
  certificate: new x509.X509Certificate(ca),
  key: await crypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(caKey), algorithm, true, ['sign']),
});

const alternativeNames = (hosts: readonly string[]) =>
  namesOf(hosts).map((value) =>
    isAddress(value) ? ({ type: 'ip', value } as const) : ({ type: 'dns', value } as const),
  );

/** A positive number of 15 bytes. */
const serialNumber = () => `01${Buffer.from(crypto.getRandomValues(new Uint8Array(14))).toString('hex')}`;

const exportKey = async (key: CryptoKey) =>
  x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');

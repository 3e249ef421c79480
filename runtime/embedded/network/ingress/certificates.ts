import { createSecureContext, type SecureContext } from 'node:tls';
import type { NetworkCertificate } from '../objects.ts';
import type { View } from '../view.ts';

/** The certificate under which a host is served; null where no Ingress names one that is there. */
export interface Certificates {
  readonly of: (view: View, host: string) => SecureContext | null;
}

/** A certificate is read once; of two Ingresses that name one for a host the older one holds. */
export function createCertificates(): Certificates {
  const read = new Map<NetworkCertificate, SecureContext>();

  function contextOf(certificate: NetworkCertificate): SecureContext {
    const context = read.get(certificate) ?? createSecureContext({ cert: certificate.cert, key: certificate.key });
    read.set(certificate, context);
    return context;
  }

  return {
    of(view, host) {
      for (const one of read.keys()) if (view.certificates.get(placeOf(one)) !== one) read.delete(one);
      const found = certificatesFor(view, host)[0];
      return found ? contextOf(found) : null;
    },
  };
}

const placeOf = ({ namespace, name }: NetworkCertificate) => `${namespace}/${name}`;

/** Those of the host itself before those of all hosts beside it. */
function certificatesFor({ ingresses, certificates }: View, host: string): readonly NetworkCertificate[] {
  const inTurn = ingresses.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  return [host, host.replace(/^[^.]*/, '*')].flatMap((name) =>
    inTurn.flatMap(({ namespace, spec: { tls = [] } }) =>
      tls
        .filter(({ hosts = [] }) => hosts.some((one) => one.toLowerCase() === name))
        .flatMap(({ secretName = '' }) => certificates.get(`${namespace}/${secretName}`) ?? []),
    ),
  );
}

import type { IncomingMessage } from 'node:http';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import type { User } from './user.ts';

/** What the certificate of a connection says: who it is, nothing, or that it is none of ours. */
export type Shown =
  { readonly is: 'nobody' } | { readonly is: 'somebody'; readonly user: User } | { readonly is: 'bad' };

const nobody: Shown = { is: 'nobody' };
const known = new WeakMap<TLSSocket, Shown>();

/** Whom the client certificate of the connection names: CN is the user, each O a group. */
export function shownBy({ socket }: Pick<IncomingMessage, 'socket'>): Shown {
  if (!(socket instanceof TLSSocket)) return nobody;
  const found = known.get(socket) ?? read(socket);
  known.set(socket, found);
  return found;
}

function read(socket: TLSSocket): Shown {
  const certificate: Partial<PeerCertificate> | null = socket.getPeerCertificate();
  const { subject, fingerprint256 = '' } = certificate ?? {};
  if (!subject) return nobody;
  if (!socket.authorized) return { is: 'bad' };
  const [name = ''] = listed(subject.CN);
  if (name === '') return nobody;
  const id = `X509SHA256=${fingerprint256.replaceAll(':', '').toLowerCase()}`;
  const extra = { 'authentication.kubernetes.io/credential-id': [id] };
  return { is: 'somebody', user: { name, groups: listed(subject.O), extra } };
}

/** A name that stands in a subject more than once is a list. */
const listed = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;

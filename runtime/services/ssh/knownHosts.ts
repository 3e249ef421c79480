import { createHmac } from 'node:crypto';

/** One line of a `known_hosts` file: which hosts, and the key that they show. */
interface KnownHost {
  readonly hosts: string;
  readonly type: string;
  readonly key: string;
}

const lineOf = (line: string): readonly KnownHost[] => {
  const [hosts = '', type = '', key = ''] = line.trim().split(/\s+/);
  // Certificates and revocations, which begin with @, vouch for no key by themselves.
  return key === '' || hosts.startsWith('#') || hosts.startsWith('@') ? [] : [{ hosts, type, key }];
};

/** `|1|salt|hash`: the name is hidden, as OpenSSH writes it by default on Debian. */
function isHashed(pattern: string, host: string): boolean {
  const [, , salt = '', hash = ''] = pattern.split('|');
  return createHmac('sha1', Buffer.from(salt, 'base64')).update(host).digest('base64') === hash;
}

const isNamed = (hosts: string, host: string): boolean =>
  hosts.split(',').some((pattern) => (pattern.startsWith('|1|') ? isHashed(pattern, host) : pattern === host));

/** The keys that a server may show on a port, and of which types they are. */
export function knownKeys(text: string, host: string, port: number): readonly KnownHost[] {
  const names = port === 22 ? [host, `[${host}]:22`] : [`[${host}]:${port}`];
  return text
    .split('\n')
    .flatMap(lineOf)
    .filter(({ hosts }) => names.some((name) => isNamed(hosts, name)));
}

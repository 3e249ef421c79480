import { createHmac } from 'node:crypto';

/** One line of a `known_hosts` file: hosts and their key. */
interface KnownHost {
  readonly hosts: string;
  readonly type: string;
  readonly key: string;
}

const lineOf = (line: string): readonly KnownHost[] => {
  const [hosts = '', type = '', key = ''] = line.trim().split(/\s+/);
  // Lines with @ (certificate authorities, revocations) do not state a host key.
  return key === '' || hosts.startsWith('#') || hosts.startsWith('@') ? [] : [{ hosts, type, key }];
};

/** `|1|salt|hash`: a hashed name, as OpenSSH writes by default on Debian. */
function isHashed(pattern: string, host: string): boolean {
  const [, , salt = '', hash = ''] = pattern.split('|');
  return createHmac('sha1', Buffer.from(salt, 'base64')).update(host).digest('base64') === hash;
}

const isNamed = (hosts: string, host: string): boolean =>
  hosts.split(',').some((pattern) => (pattern.startsWith('|1|') ? isHashed(pattern, host) : pattern === host));

/** The accepted keys of a server on a port, with their types. */
export function knownKeys(text: string, host: string, port: number): readonly KnownHost[] {
  const names = port === 22 ? [host, `[${host}]:22`] : [`[${host}]:${port}`];
  return text
    .split('\n')
    .flatMap(lineOf)
    .filter(({ hosts }) => names.some((name) => isNamed(hosts, name)));
}

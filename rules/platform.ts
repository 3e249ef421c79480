/** The Secrets of the platform's settings. */
export const dnsSecret = 'platform-dns';
export const registrySecret = 'platform-registry';
export const gitAppSecret = 'platform-git-app';

/** The keys of a registry's Secret (001 CorePlatformConfig). */
export const registryKey = '.registryconfigjson';

/** The registry of an image reference without a host. */
const usualRegistry = 'https://index.docker.io/v1/';

/** A login to a registry. */
export interface RegistryLogin {
  readonly server: string;
  readonly username: string;
  readonly password: string;
}

/** The server of a repository such as `registry.example.com/apps`. */
export function serverOf(repository: string): string {
  const [first = ''] = repository.split('/');
  return /[.:]/.test(first) || first === 'localhost' ? first : usualRegistry;
}

interface Auth {
  readonly username?: string;
  readonly password?: string;
}

/** The login in a Secret; empty texts for none. */
export function loginIn(text: string): RegistryLogin {
  const [first] = Object.entries(authsIn(text));
  if (!first) return { server: '', username: '', password: '' };
  const [server, { username = '', password = '' }] = first;
  return { server, username, password };
}

function authsIn(text: string): Readonly<Record<string, Auth>> {
  try {
    return (JSON.parse(text) as { readonly auths?: Readonly<Record<string, Auth>> }).auths ?? {};
  } catch {
    return {};
  }
}

/** The login as builders and nodes read it. */
export const registryConfig = ({ server, username, password }: RegistryLogin): string =>
  JSON.stringify({
    auths: { [server]: { username, password, auth: Buffer.from(`${username}:${password}`).toString('base64') } },
  });

import { type Json, isJson } from '../../../api/json.ts';

export interface RegistryLogin {
  readonly username: string;
  readonly password: string;
}

/** The logins of a registry client's `config.json`, by registry. */
export function registryLogins(text: string): Readonly<Record<string, RegistryLogin>> {
  const auths = fieldsOf(fieldsOf(parsed(text))['auths']);
  return Object.fromEntries(
    Object.entries(auths).flatMap(([name, entry]) => {
      const login = loginOf(fieldsOf(entry));
      return login ? [[hostOf(name), login]] : [];
    }),
  );
}

const fieldsOf = (value: unknown): Json => (isJson(value) ? value : {});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Docker Hub's key is an address: `https://index.docker.io/v1/`. */
function hostOf(name: string): string {
  const host = name.replace(/^https?:\/\//, '').replace(/\/.*$/, '');
  return host === 'index.docker.io' ? 'docker.io' : host;
}

function loginOf({ auth, username, password }: Json): RegistryLogin | null {
  if (typeof username === 'string' && typeof password === 'string') return { username, password };
  if (typeof auth !== 'string') return null;
  const both = Buffer.from(auth, 'base64').toString();
  const at = both.indexOf(':');
  return at > 0 ? { username: both.slice(0, at), password: both.slice(at + 1) } : null;
}

/** The registry that an image reference names. */
export function registryOf(image: string): string {
  const [first = '', ...rest] = image.split('/');
  return rest.length > 0 && /[.:]|^localhost$/.test(first) ? first : 'docker.io';
}

/** Podman reads the alphabet of addresses, but with padding. */
const encoded = (value: unknown) =>
  Buffer.from(JSON.stringify(value)).toString('base64').replaceAll('+', '-').replaceAll('/', '_');

/** Tells podman the logins of every registry that a recipe may pull from. */
export const loginsHeader = (logins: Readonly<Record<string, RegistryLogin>>): Readonly<Record<string, string>> =>
  Object.keys(logins).length > 0 ? { 'x-registry-config': encoded(logins) } : {};

/** Tells podman the login of the registry that an image is pushed to. */
export const loginHeader = (login: RegistryLogin | undefined): Readonly<Record<string, string>> =>
  login ? { 'x-registry-auth': encoded(login) } : {};

/** As with every other client, a registry on this machine needs no certificate. */
export const isLoopback = (registry: string): boolean => /^(localhost|127\.[0-9.]+|\[::1\])(:\d+)?$/.test(registry);

import { ApiFailure } from './failure.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Lower case first, as other programs do it: CGI sets HTTP_PROXY from a header. */
const nameIn = (env: Environment, name: string): string => (env[name] ? name : name.toUpperCase());

/** The proxy that the environment names for an address; null for none. What excepts addresses is loaded on use. */
export async function proxyFor(url: URL, env: Environment): Promise<URL | null> {
  const name = nameIn(env, url.protocol === 'https:' ? 'https_proxy' : 'http_proxy');
  const named = env[name];
  if (!named) return null;
  const excepted = env[nameIn(env, 'no_proxy')];
  if (excepted && (await import('./noProxy.ts')).isExcepted(url, excepted)) return null;
  const text = named.includes('://') ? named : `http://${named}`;
  const proxy = URL.canParse(text) ? new URL(text) : null;
  // Its value may hold a password.
  if (proxy === null || !/^https?:$/.test(proxy.protocol)) throw new ApiFailure(`${name} names no http or https proxy`);
  return proxy;
}

/** The header by which a proxy knows its user, if the variable names one. */
export function proxyHeaders({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` };
}

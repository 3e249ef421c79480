type Environment = Readonly<Record<string, string | undefined>>;

/** Lower case first, as other programs do it: CGI sets HTTP_PROXY from a header. */
const variable = (env: Environment, name: string): string => env[name] || env[name.toUpperCase()] || '';

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');

/** Whether an entry of NO_PROXY covers a host: `*`, a host, or a domain with everything under it. */
function covers(entry: string, url: URL): boolean {
  if (entry === '*') return true;
  const [, name = '', port] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
  const domain = name.toLowerCase().replace(/^\*?\./, '');
  if (domain === '' || (port !== undefined && port !== portOf(url))) return false;
  return url.hostname === domain || url.hostname.endsWith(`.${domain}`);
}

/** The proxy that the environment names for an address; null for none. */
export function proxyFor(url: URL, env: Environment): URL | null {
  const named = variable(env, url.protocol === 'https:' ? 'https_proxy' : 'http_proxy');
  if (named === '') return null;
  const excepted = variable(env, 'no_proxy').split(/[\s,]+/);
  if (excepted.some((entry) => covers(entry, url))) return null;
  const text = named.includes('://') ? named : `http://${named}`;
  return URL.canParse(text) ? new URL(text) : null;
}

/** The header by which a proxy knows its user, if the variable names one. */
export function proxyHeaders({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` };
}

/** The full name of an image, as `docker pull` and a kubelet understand a short one. */
export function fullName(image: string): string {
  const [first = '', ...rest] = image.split('/');
  const hasHost = rest.length > 0 && (/[.:A-Z]/.test(first) || first === 'localhost');
  const named = hasHost ? image : rest.length > 0 ? `docker.io/${image}` : `docker.io/library/${image}`;
  return named.includes('@') || /:[^/]+$/.test(named) ? named : `${named}:latest`;
}

const domainPart = /[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?/.source;
const domain = `(?:${domainPart}(?:\\.${domainPart})*|\\[[0-9A-Fa-f:]+\\])(?::[0-9]+)?`;
const pathPart = /[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*/.source;
const digest = /[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9A-Fa-f]{32,}/.source;
const reference = new RegExp(`^${domain}/${pathPart}(?:/${pathPart})*(?::\\w[\\w.-]{0,127})?(?:@${digest})?$`);
const longestRepository = 255;

/** Why a name is no name of an image, in the words of a container runtime; null where it is one. */
export function faultOfName(image: string): string | null {
  if (/^[0-9a-f]{64}$/.test(image))
    return `invalid repository name (${image}), cannot specify 64-byte hexadecimal strings`;
  const full = fullName(image);
  const path = full.slice(full.indexOf('/') + 1).replace(/[:@].*/s, '');
  if (path !== path.toLowerCase()) return `invalid reference format: repository name (${path}) must be lowercase`;
  if (!reference.test(full)) return 'invalid reference format';
  if (path.length > longestRepository) return `repository name must not be more than ${longestRepository} characters`;
  return null;
}

/** Images of this host are kept on the machine and never pulled. */
export const localHosts = ['localhost', 'registry.local'] as const;

export const hostOf = (image: string): string => fullName(image).split('/', 1)[0] ?? '';

export const isLocal = (image: string): boolean => localHosts.some((host) => host === hostOf(image));

/** How an image is pulled whose container does not say. */
export function pullPolicyOf(image: string, policy: string | undefined): string {
  if (policy !== undefined && policy !== '') return policy;
  const full = fullName(image);
  return full.endsWith(':latest') && !full.includes('@') ? 'Always' : 'IfNotPresent';
}

/** The full name of an image, as `docker pull` and a kubelet understand a short one. */
export function fullName(image: string): string {
  const [first = '', ...rest] = image.split('/');
  const hasHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const named = hasHost ? image : rest.length > 0 ? `docker.io/${image}` : `docker.io/library/${image}`;
  return named.includes('@') || /:[^/]+$/.test(named) ? named : `${named}:latest`;
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

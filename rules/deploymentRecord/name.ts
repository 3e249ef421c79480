/** Without vowels and digits that look like letters, like generated names of Kubernetes. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** `<app>-` and five characters, from five random bytes (000 CoreDeployment). */
export const recordName = (app: string, random: Uint8Array): string =>
  `${app}-${Array.from(random.slice(0, 5), (byte) => letters[byte % letters.length]).join('')}`;

/** What the addresses of pages begin with; the server has its one page there, and not where programs ask. */
export const pageNames: readonly string[] = [
  'api-docs',
  'apps',
  'backups',
  'buckets',
  'builds',
  'databases',
  'device',
  'logical-databases',
  'machines',
  'projects',
  'services',
  'settings',
  'sign-in',
];

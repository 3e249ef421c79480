/** The kinds whose objects explain themselves, by their path, with the other words for each. */
export const explainedKinds = {
  apps: ['app', 'service', 'services', 'function', 'functions'],
  builds: ['build'],
  databases: ['database'],
  'logical-databases': ['logical-database'],
  'object-stores': ['object-store', 'store', 'stores'],
  'backup-archives': ['backup-archive', 'archive', 'archives'],
  projects: ['project'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The groups of routes in the description, each with what it is about. */
export const groups = {
  Access: 'Sign-in, the caller, and devices that ask for a token.',
  Builds: 'What was made of the repositories of services.',
  Consoles: 'Terminals in the containers of services and servers of buckets.',
  Databases: 'Databases, those on shared servers, and their backups.',
  Machines: 'The lifecycles with their instances, and why each is in its state.',
  Platform: 'Clusters, nodes, settings and the Git host.',
  Projects: 'Projects with their environments, shared variables, webhooks and connections.',
  Services: 'What runs, with its variables, logs, deployments and functions.',
  Tokens: 'API tokens for programs.',
} as const;

export type Group = keyof typeof groups;

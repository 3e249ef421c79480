export const bucketsHelp =
  'Buckets of every project, each with a user of its own, and the servers of the cluster that they are on.';
export const noBucketText = 'A bucket belongs to an environment of a project: open one and press Add resource.';
export const databasesHelp = 'Every database of every project, and the shared servers of the cluster.';
export const noDatabaseText = 'A database belongs to an environment of a project: open one and press Add resource.';
export const logicalDatabasesHelp = 'Databases on servers that run already, each with a connection of its own.';
export const noLogicalDatabaseText = 'Created on a Postgres or MySQL server of its environment, or on a shared server.';

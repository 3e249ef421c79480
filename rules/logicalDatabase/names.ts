import { createHash } from 'node:crypto';
import type { LogicalDatabaseSpec } from '../../crds/coreLogicalDatabase.ts';
import { ownLogin } from '../database/connection.ts';

/** The three parts from which the names on a shared server are built. */
export type NameParts = Pick<LogicalDatabaseSpec, 'project' | 'environment' | 'databaseName'>;

/** The owner of the server: all projects, or the project and environment of the logical database. */
export type ServerOwner = 'shared' | 'own';

/** The longest name on a shared server (document 001, Limits). */
const longestShared = 60;
const shortenedTo = 51;

/** The longest name of a database that neither engine truncates. */
export const longestDatabaseName = 63;

const hashOf = ({ project, environment, databaseName }: NameParts): string =>
  createHash('sha256').update([project, environment, databaseName].join('\0')).digest('hex');

/** The name of a database on a shared server (document 001, Shared-server naming; decisions 81 and 82). */
export function sharedDatabaseName(parts: NameParts): string {
  const { project, environment, databaseName } = parts;
  const plain = [project, environment, databaseName]
    .join('_')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_');
  const name = /^[0-9]/.test(plain) ? `d${plain}` : plain;
  return name.length > longestShared ? `${name.slice(0, shortenedTo)}_${hashOf(parts).slice(0, 8)}` : name;
}

/** The login that owns a database on a shared server, and nothing else. */
export const sharedLogin = (parts: NameParts): string => `u_${hashOf(parts).slice(0, 16)}`;

/** The name of a database on its server. */
export const databaseOn = (owner: ServerOwner, parts: NameParts): string =>
  owner === 'shared' ? sharedDatabaseName(parts) : parts.databaseName;

/** The login of a database: on a server of the project, the server's own. */
export const loginOn = (owner: ServerOwner, parts: NameParts): string =>
  owner === 'shared' ? sharedLogin(parts) : ownLogin;

export const logicalConnectionName = (name: string): string => `${name}-connection`;
/** The Secret that stores the login of a database on a shared server before it is used. */
export const loginSecretName = (name: string): string => `${name}-login`;
export const createJobName = (name: string): string => `${name}-create`;
export const dropJobName = (name: string): string => `${name}-drop`;

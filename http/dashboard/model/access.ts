import type { Identity } from '../../api.ts';

type Role = Identity['role'];

/** The access of a role, in the words that sign-in reports (document 002, Users, roles and tokens). */
export const accessWords: Readonly<Record<Role, string>> = {
  admin: 'admin',
  observer: 'read-only, with logs',
  viewer: 'read-only',
};

/** The same in a sentence, for choosing one. */
export const accessMeans: Readonly<Record<Role, string>> = {
  admin: 'Reads and changes everything.',
  observer: 'Reads states, logs and plain configuration. Changes nothing, reads no secret.',
  viewer: 'Reads states alone: no logs, no configuration, no names of repositories. Changes nothing.',
};

type Holder = Pick<Identity, 'role' | 'project' | 'environment'>;

/** The access of a user or a token, in words. */
export const accessOf = ({ role, project, environment }: Holder): string =>
  project === undefined ? accessWords[role] : `project token for ${project}/${environment ?? ''}`;

import type { Identity } from '../../api.ts';

type Role = Identity['role'];

/** What a role may do, as sign-in reports it (document 002, Users, roles and tokens). */
export const accessWords: Readonly<Record<Role, string>> = {
  admin: 'admin',
  observer: 'read-only, with logs',
  viewer: 'read-only',
};

/** The same in a sentence, for whoever chooses. */
export const accessMeans: Readonly<Record<Role, string>> = {
  admin: 'Reads and changes everything.',
  observer: 'Reads states, logs and plain configuration. Changes nothing, reads no secret.',
  viewer: 'Reads states alone: no logs, no configuration, no names of repositories. Changes nothing.',
};

type Holder = Pick<Identity, 'role' | 'project' | 'environment'>;

/** What somebody, or a token, may do, in words. */
export const accessOf = ({ role, project, environment }: Holder): string =>
  project === undefined ? accessWords[role] : `project token for ${project}/${environment ?? ''}`;

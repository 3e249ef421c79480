import { systemNamespace } from '../../crds/names.ts';
import type { Caches } from '../../runtime/cache/caches.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { authSecret } from './directory.ts';

/** The message on every surface while there is no user who could sign in. */
export const usersAreAbsent = `the Secret ${systemNamespace}/${authSecret} is missing, so nobody can sign in; it is made anew as soon as that is possible`;

/** What is missing for anybody to be authenticated here; null when nothing is. */
export const absenceIn = (caches: Caches): string | null =>
  caches.of(secrets).get(authSecret) === undefined ? usersAreAbsent : null;

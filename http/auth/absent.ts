import { systemNamespace } from '../../crds/names.ts';
import type { Caches } from '../../runtime/cache/caches.ts';
import { secrets } from '../../runtime/resources.ts';
import { authSecret } from './directory.ts';

/** What is told on every surface while there is nobody who could sign in. */
export const usersAreAbsent = `the Secret ${systemNamespace}/${authSecret} is missing, so nobody can sign in; it is made anew as soon as that is possible`;

/** What is missing for anybody to be known here; null when nothing is. */
export const absenceIn = (caches: Caches): string | null =>
  caches.of(secrets).get(authSecret) === undefined ? usersAreAbsent : null;

import type { AppSpec } from '../../../../crds/coreApp.ts';
import { isDeleting } from '../../../../rules/deleting.ts';
import { environmentRole } from '../../../../rules/project/access.ts';
import { namespaceOf } from '../../../../rules/project/environment.ts';
import { policyNames } from '../../../../rules/project/policies.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { owned } from '../../../owned/owned.ts';

/** Whether the environment of a service has its namespace, its binding and its policies (decision 163). */
export function isWhole(
  { project, environment }: Pick<AppSpec, 'project' | 'environment'>,
  reader: CacheReader,
): boolean {
  const namespace = namespaceOf(project, environment);
  // What is in a namespace that is being deleted is deleted, too.
  const pieces = [
    reader.get(owned.roleBindings, environmentRole, namespace),
    ...policyNames.map((name) => reader.get(owned.networkPolicies, name, namespace)),
  ];
  return pieces.every((piece) => piece !== undefined && !isDeleting(piece));
}

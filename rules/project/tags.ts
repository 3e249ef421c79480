import type { CoreProject } from '../../crds/coreProject.ts';
import { changed, type ProjectChange, refusedByState } from './change.ts';
import { complianceRefusal, type ComplianceSeen } from './compliance.ts';

/** The tags that a project requires from now on, once every check holds. */
export function tagsRequired({ spec }: CoreProject, seen: ComplianceSeen): ProjectChange {
  const refusal = complianceRefusal(seen);
  if (refusal !== null) return refusedByState(refusal);
  const before = spec.requiredTags ?? [];
  const isSame = before.length === seen.tags.length && before.every((tag, at) => tag === seen.tags[at]);
  return changed(isSame ? null : { spec: { requiredTags: seen.tags.length === 0 ? null : seen.tags } });
}

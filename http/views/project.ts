import type { CoreProject } from '../../crds/coreProject.ts';
import type { View } from '../../rules/access/needs.ts';
import { conditionOf } from '../../rules/condition.ts';
import { environmentsGoing } from '../../rules/project/deletion.ts';
import { contentRemaining } from '../../rules/project/remaining.ts';
import { redacted } from '../../rules/redaction/redact.ts';
import { resourceViews } from './resource.ts';

/** Projects in lists and reads; a project belongs to no project and no environment. */
export const { summary: projectSummary, read: projectRead } = resourceViews<CoreProject>({
  kind: 'CoreProject',
  called: ({ spec }) => spec.displayName ?? '',
  said: (project) => conditionOf(project, contentRemaining) ?? conditionOf(project, 'Ready'),
  details: (project, { spec }, { reason }) => ({
    environments: spec.environments ?? [],
    /** Those of them that are being deleted. */
    deleting: environmentsGoing(project),
    region: spec.region ?? '',
    requiredTags: spec.requiredTags ?? [],
    cluster: spec.clusterRef?.name ?? '',
    reason,
  }),
});

/** The shared variables of a project, by environment and name; plain ones with their values. */
export const sharedVariableItems = (project: CoreProject, view: View) =>
  (redacted('CoreProject', project, view).spec.sharedVariables ?? [])
    .map(({ name = '', environment = '', value, secretRef }) => ({
      name,
      environment,
      kind: secretRef === undefined ? ('config' as const) : ('secret' as const),
      ...(secretRef === undefined && value !== undefined ? { value } : {}),
    }))
    .toSorted((a, b) =>
      a.environment === b.environment ? byText(a.name, b.name) : byText(a.environment, b.environment),
    );

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

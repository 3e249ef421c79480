import type { CoreProject } from '../../crds/coreProject.ts';
import { annotation } from '../../crds/names.ts';
import type { View } from '../../rules/access/needs.ts';
import { conditionOf } from '../../rules/condition.ts';
import { environmentsGoing } from '../../rules/project/deletion.ts';
import { contentRemaining } from '../../rules/project/remaining.ts';
import { redacted, type RedactedCopy } from '../../rules/redaction/redact.ts';
import { messageInWords } from '../../rules/redaction/words.ts';
import { stateOf } from '../../rules/state.ts';
import type { Read, SharedVariableItem, Summary } from '../api.ts';

const detailsOf = (project: CoreProject, { spec }: RedactedCopy<CoreProject>, reason: string): Summary['details'] => ({
  environments: spec.environments ?? [],
  /** Those of them that are being deleted. */
  deleting: environmentsGoing(project),
  region: spec.region ?? '',
  requiredTags: spec.requiredTags ?? [],
  cluster: spec.clusterRef?.name ?? '',
  reason,
});

/** A project in the shape of every list and read (decision 23); it belongs to no project and no environment. */
export const projectSummary = (project: CoreProject, view: View): Summary =>
  summaryOf(project, redacted('CoreProject', project, view), view);

function summaryOf(project: CoreProject, told: RedactedCopy<CoreProject>, view: View): Summary {
  const { metadata, spec } = told;
  const ready = conditionOf(project, 'Ready') ?? { reason: '', message: '' };
  return {
    kind: 'CoreProject',
    name: metadata.name,
    displayName: spec.displayName || metadata.annotations?.[annotation.displayName] || metadata.name,
    project: '',
    environment: '',
    state: stateOf({ metadata: project.metadata, status: project.status ?? {} }),
    message: messageInWords(conditionOf(project, contentRemaining) ?? ready, view),
    createdAt: metadata.creationTimestamp ?? '',
    url: '',
    details: detailsOf(project, told, ready.reason),
  };
}

/** A project with its state, redacted for a view. */
export function projectRead(project: CoreProject, view: View): Read {
  const told = redacted('CoreProject', project, view);
  return { resource: summaryOf(project, told, view), spec: told.spec, status: told.status };
}

/** The shared variables of a project, by environment and name; plain ones with their values. */
export const sharedVariableItems = (project: CoreProject, view: View): readonly SharedVariableItem[] =>
  (redacted('CoreProject', project, view).spec.sharedVariables ?? [])
    .map(({ name = '', environment = '', value, secretRef }): SharedVariableItem => ({
      name,
      environment,
      kind: secretRef === undefined ? 'config' : 'secret',
      ...(secretRef === undefined && value !== undefined ? { value } : {}),
    }))
    .toSorted((a, b) =>
      a.environment === b.environment ? byText(a.name, b.name) : byText(a.environment, b.environment),
    );

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

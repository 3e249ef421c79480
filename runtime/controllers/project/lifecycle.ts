import { Effect } from 'effect';
import { type CoreProject, projectPhases } from '../../../crds/coreProject.ts';
import type { ProjectReadyEvent, ProjectReadyState } from '../../../machines/names.ts';
import { projectReady as machine } from '../../../machines/projectReady.ts';
import { tables } from '../../../machines/tables.ts';
import { byState } from '../../../rules/engine.ts';
import { projectReadyEvents } from '../../../rules/projectReady/events.ts';
import type { ProjectReadyFacts } from '../../../rules/projectReady/facts.ts';
import { projectOutcome } from '../../../rules/projectReady/ready.ts';
import { type AnyLifecycle, lifecycle } from '../../contract/lifecycle.ts';
import { provisionRetryOf } from '../provisioned/retry.ts';
import { observeProject } from './observe.ts';
import { askNamespaces } from './ask.ts';
import type { ProjectResources } from './owned.ts';
import { projectActions } from './actions.ts';

export const phaseOf = ({ status }: CoreProject): ProjectReadyState =>
  projectPhases.find((phase) => phase === status?.phase) ?? 'Reconciling';

export const retriesOf = (ownedResources: ProjectResources): AnyLifecycle =>
  provisionRetryOf<CoreProject>({
    rowOf: 'oneKind',
    outcome: (project, reader, { failure }) =>
      projectOutcome(observeProject(project, { reader, ownedResources, failure })),
    ask: (project, reader) =>
      Effect.map(askNamespaces(project, reader), (found) =>
        projectOutcome({ ...observeProject(project, { reader, ownedResources, failure: null }), namespaces: found }),
      ),
  });

export const readyOf = (ownedResources: ProjectResources): AnyLifecycle =>
  lifecycle<CoreProject, ProjectReadyFacts, ProjectReadyState, ProjectReadyEvent['type']>({
    name: 'projectReady',
    storage: 'status',
    machine,
    ...tables.projectReady,
    rules: byState(projectReadyEvents),
    retrying: (project) => phaseOf(project) === 'ReconcileError',
    read: phaseOf,
    write: (to) => ({ phase: to }),
    shown: phaseOf,
    observe: (project, reader, { now, others, failure }) => ({
      now,
      ...observeProject(project, { reader, ownedResources, failure }),
      retry: others['provisionRetry']?.state as ProjectReadyFacts['retry'],
    }),
    ask: (_, project, reader) => askNamespaces(project, reader),
    actions: projectActions(ownedResources),
    ensures: {},
  });

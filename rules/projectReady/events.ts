import type { ProjectReadyEvent, ProjectReadyState } from '../../machines/names.ts';
import { type EventRule, ruleFor } from '../engine.ts';
import type { ProjectReadyFacts } from './facts.ts';
import {
  clusterChanged,
  clusterMissing,
  clusterNotReady,
  environmentDoubled,
  invalidEnvironment,
  invalidNamespace,
  missingFrom,
  projectInvalid,
  type ProjectReadyLimits,
  projectReadyLimits,
  takenNamespace,
} from './found.ts';
import { remainingSaid } from '../project/remaining.ts';
import { unreadMessage } from '../project/variables.ts';
import { closed, external, hidden, joined, sentence, toViewers } from '../words.ts';

const rule = ruleFor<ProjectReadyFacts, ProjectReadyState, ProjectReadyEvent['type']>();
const always = () => true;
const now = { afterMs: 0 };
const retry = { afterMs: 30_000 };
const activeStates = ['Reconciling', 'ReconcileError', 'ProjectReady'] as const;

/** The events of a project, in the order checked. */
export const projectReadyEventsWith = (limits: ProjectReadyLimits) =>
  [
    // Its namespaces are deleted with it, so none is written.
    rule({
      id: 'deleted',
      in: ['Reconciling', 'ReconcileError', 'ProjectReady', 'ProvisionFailed'],
      when: ({ deleted }) => deleted,
      then: 'deletionFound',
      says: ({ remaining }) =>
        joined([closed('being deleted: nothing is set up any more'), ...remainingSaid(remaining)], '; '),
    }),
    // The counted failures ended in this pass; the attempt records their end, not this event.
    rule({
      id: 'gave-up',
      in: activeStates,
      when: ({ retry: row }) => row === 'ProvisionFailed',
      then: 'gaveUp',
      says: () => closed('the same error occurred too often; edit the project to retry'),
    }),
    rule({
      id: 'cluster-missing',
      in: activeStates,
      when: clusterMissing,
      then: 'clusterMissing',
      says: ({ clusterRef }) =>
        sentence('cluster "{clusterRef}" does not exist', { clusterRef: toViewers(clusterRef) }),
      look: retry,
    }),
    rule({
      id: 'cluster-not-ready',
      in: activeStates,
      when: clusterNotReady,
      then: 'clusterNotReady',
      says: ({ clusterRef }) => sentence('cluster "{clusterRef}" is not Ready', { clusterRef: toViewers(clusterRef) }),
      look: retry,
    }),
    rule({
      id: 'cluster-changed',
      in: activeStates,
      when: clusterChanged,
      then: 'clusterChanged',
      says: ({ clusterRef, observedClusterRef }) =>
        sentence('the project runs on cluster "{observedClusterRef}" and asks for "{clusterRef}"', {
          observedClusterRef: toViewers(observedClusterRef),
          clusterRef: toViewers(clusterRef),
        }),
      look: retry,
    }),
    rule({
      id: 'environment-doubled',
      in: activeStates,
      when: environmentDoubled,
      then: 'environmentDoubled',
      says: () => closed('an environment is listed twice'),
      look: retry,
    }),
    rule({
      id: 'project-invalid',
      in: activeStates,
      when: (facts) => projectInvalid(facts, limits),
      then: 'projectInvalid',
      says: ({ project }) => sentence('"{project}" is no DNS label', { project: toViewers(project) }),
      look: retry,
    }),
    rule({
      id: 'environment-invalid',
      in: activeStates,
      when: (facts) => invalidEnvironment(facts, limits) !== undefined,
      then: 'environmentInvalid',
      says: (facts) =>
        sentence('"{invalidEnvironment}" is no DNS label', {
          invalidEnvironment: toViewers(invalidEnvironment(facts, limits) ?? ''),
        }),
      look: retry,
    }),
    rule({
      id: 'namespace-invalid',
      in: activeStates,
      when: (facts) => invalidNamespace(facts, limits) !== undefined,
      then: 'namespaceInvalid',
      says: (facts) =>
        sentence('namespace "{invalidNamespace}" is longer than {labelLength} characters', {
          invalidNamespace: toViewers(invalidNamespace(facts, limits) ?? ''),
          labelLength: toViewers(limits.labelLength),
        }),
      look: retry,
    }),
    rule({
      id: 'namespace-taken',
      in: activeStates,
      needs: ['namespaces'],
      when: (facts) => takenNamespace(facts) !== undefined,
      then: 'namespaceTaken',
      says: (facts) =>
        sentence('namespace "{takenNamespace}" is labelled for another project', {
          takenNamespace: toViewers(takenNamespace(facts) ?? ''),
        }),
      look: retry,
    }),
    // What was set up stays: it only takes time until the piece is back, or there for the first time.
    rule({
      id: 'pieces-awaited',
      in: ['ProjectReady'],
      when: ({ failure }) => failure?.counts === 'waiting',
      then: 'piecesAwaited',
      says: ({ failure }) => sentence('not everything is set up yet: {why}', { why: hidden(failure?.why ?? '') }),
      look: retry,
    }),
    rule({
      id: 'provisioning-failed',
      in: activeStates,
      when: ({ failure }) => failure !== null,
      then: 'provisioningFailed',
      says: ({ failure }) =>
        sentence('the environments could not be set up: {why}', { why: hidden(failure?.why ?? '') }),
      look: retry,
    }),
    rule({
      id: 'pieces-missing',
      in: activeStates,
      needs: ['namespaces'],
      when: (facts) => missingFrom(facts).length > 0,
      then: 'piecesMissing',
      says: (facts) =>
        sentence('to be written: {missingFrom}', { missingFrom: toViewers(missingFrom(facts).join(', ')) }),
      look: now,
    }),
    // Follows the owned objects: readable variables are written before the unreadable one is reported.
    rule({
      id: 'variable-missing',
      in: activeStates,
      when: ({ missingVariables }) => missingVariables.length > 0,
      then: 'variableMissing',
      says: ({ missingVariables: [first] }) =>
        sentence('not all shared variables could be written: {missingVariable}', {
          missingVariable: hidden(first === undefined ? '' : unreadMessage(first)),
        }),
      look: retry,
    }),
    rule({
      id: 'provisioned',
      in: activeStates,
      when: always,
      then: 'provisioned',
      says: ({ contested, remaining }) =>
        joined(
          [
            closed('every environment has its namespace, policies and shared variables'),
            ...remainingSaid(remaining),
            ...contested.map(external),
          ],
          '; ',
        ),
    }),

    rule({
      id: 'spec-changed',
      in: ['ProvisionFailed'],
      when: ({ retry: row }) => row !== 'ProvisionFailed',
      then: 'specChanged',
      says: () => closed('project edited; retrying'),
      look: now,
    }),
    rule({
      id: 'stays-failed',
      in: ['ProvisionFailed'],
      when: always,
      then: 'stayedFailed',
      says: () => closed('edit the project to retry'),
    }),
  ] satisfies readonly EventRule<ProjectReadyFacts, ProjectReadyState, ProjectReadyEvent['type']>[];
export const projectReadyEvents = projectReadyEventsWith(projectReadyLimits);

import { byFailedAction, isTermination } from '../cause/failedAction.ts';
import type { FoundCause } from '../cause/cause.ts';
import { causeOfMissing } from '../cause/missingSource.ts';
import { type CauseInput, type CauseRule, found } from '../cause/rule.ts';
import { causeOfTerminating } from '../project/terminating.ts';
import { sentence, toObservers } from '../words.ts';
import type { ProjectObserved } from './facts.ts';
import { missingFrom } from './found.ts';

type Lacking = Pick<ProjectObserved, 'missingVariables' | 'terminating'>;
type Unwritten = Pick<ProjectObserved, 'namespaces' | 'missingPieces'>;

/** Why shared variables lack a value. */
const variableCauses = ({ missingVariables }: Lacking): readonly FoundCause[] => missingVariables.map(causeOfMissing);

/** Why environments cannot be set up. */
const environmentCauses = ({ terminating }: Lacking): readonly FoundCause[] => terminating.map(causeOfTerminating);

/** The first piece of the environments that is still to be written. */
const unwrittenCauses = (facts: Unwritten, { self }: CauseInput): readonly FoundCause[] =>
  missingFrom(facts)
    .slice(0, 1)
    .map((piece) => ({
      reason: 'CopiesStarting',
      message: sentence('{piece} is being written', { piece: toObservers(piece) }),
      on: self,
    }));

/** What the environments of a project lack before it is ready. */
export const byLacking: CauseRule<Lacking & Unwritten> = found(
  ['SecretMissing', 'KeyMissing', 'NamespaceTerminating', 'CopiesStarting'],
  (facts, input) => {
    const causes = [...variableCauses(facts), ...environmentCauses(facts)];
    return causes.length > 0 ? causes : unwrittenCauses(facts, input);
  },
);

/** The cluster that does not exist. */
export const byMissingCluster: CauseRule<ProjectObserved> = found(
  ['ClusterNotReady'],
  ({ clusterRef }, { message, self }) => [
    {
      reason: 'ClusterNotReady',
      severity: 'failure',
      message,
      on: { kind: 'CoreCluster', name: clusterRef, namespace: self.namespace },
    },
  ],
);

/** The action that failed; a namespace that hangs names what holds it. */
export const byProvisioning: CauseRule<ProjectObserved> = {
  ...byFailedAction,
  find: (facts, input) => {
    const { failure, terminating } = facts;
    const held =
      failure && isTermination(failure) ? terminating.find(({ name }) => name === namespaceOf(failure)) : null;
    return held ? [causeOfTerminating(held)] : byFailedAction.find(facts, input);
  },
};

const namespaceOf = ({ on }: NonNullable<ProjectObserved['failure']>): string =>
  (on?.kind === 'Namespace' ? on.name : on?.namespace) ?? '';

const isSame = (one: FoundCause, other: FoundCause): boolean =>
  one.reason === other.reason && one.on.kind === other.on.kind && one.on.name === other.on.name;

/** What a project lacks besides the causes of Ready: variables and namespaces that a ready project waits for. */
export function causesBeside(facts: Lacking, ofReady: readonly FoundCause[]): readonly FoundCause[] {
  const untold = (one: FoundCause) => !ofReady.some((other) => isSame(one, other));
  return [
    ...variableCauses(facts).map((one): FoundCause => ({ ...one, of: 'Variables' })),
    ...environmentCauses(facts).map((one): FoundCause => ({ ...one, of: 'Environments' })),
  ].filter(untold);
}

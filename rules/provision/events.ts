import type { DraftDeployState } from '../../machines/names.ts';
import { type EventRule, ruleFor } from '../engine.ts';
import type { Fact } from '../fact.ts';
import { retrying } from '../provisionRetry/messages.ts';
import type { RetrySeen } from '../provisionRetry/facts.ts';
import { open, type Message, sentence } from '../words.ts';

/** The facts that every machine that provisions something has. */
export interface TriedFacts {
  readonly retry: RetrySeen;
  readonly around: Fact<object>;
}

/** The same for deployed kinds. */
export interface ProvisionFacts extends TriedFacts {
  readonly gate: DraftDeployState;
}

/** The blocker in the facts of one kind, which its rules have asked for before. */
interface Blocked {
  says(facts: Pick<TriedFacts, 'around'>): Message;
}
interface Counted extends Blocked {
  /** How the blocker counts; undefined for none. */
  counts(facts: Pick<TriedFacts, 'around'>): string | undefined;
}

type Again = 'specChanged' | 'retryAsked' | 'failureStood';
type GivingUp = 'failureTimeExhausted' | 'permanentErrorFound' | 'failuresExhausted' | 'givenUpFound';
type Blocker = 'failureCounted' | 'waitFound' | 'failureRepeated';

/** A rule that answers no command: it fits every machine whose facts include these. */
type PassRule<Facts, S extends string, E extends string> = Omit<EventRule<Facts, S, E>, 'answers'>;

const now = { afterMs: 0 };
export const requeue = { afterMs: 30_000 };
export const deployedStates = ['Provisioning', 'Ready'] as const;

export const isDraft = ({ gate }: Pick<ProvisionFacts, 'gate'>): boolean => gate === 'Draft';
type Retried = Pick<TriedFacts, 'retry'>;
const isGivenUp = ({ retry }: Retried) => retry.state === 'ProvisionFailed';
const gaveUpBy =
  (...events: readonly string[]) =>
  (facts: Retried) =>
    isGivenUp(facts) && facts.retry.event !== null && events.includes(facts.retry.event);
/** Whether the attempt ended in this pass, after a try. */
const gaveUpNow = gaveUpBy('limitReached', 'timeRanOut', 'permanentlyFailed');
/** Whether this pass counted its outcome. */
export const hasCounted = ({ retry }: Retried): boolean =>
  retry.event === 'rowBegan' || retry.event === 'failureCounted';

/** Rules of a new object, which waits as a draft or is provisioned at once. */
export const createdRules = (
  draftWaits: Message,
): readonly PassRule<ProvisionFacts, '(none)', 'createdAsDraft' | 'createdOpen'>[] => {
  const rule = ruleFor<ProvisionFacts, '(none)', 'createdAsDraft' | 'createdOpen'>();
  return [
    rule({ id: 'created-draft', in: ['(none)'], when: isDraft, then: 'createdAsDraft', says: () => draftWaits }),
    rule({
      id: 'created-open',
      in: ['(none)'],
      when: () => true,
      then: 'createdOpen',
      says: () => open('created without a draft; provisioning'),
      look: now,
    }),
  ];
};

/** The rule for a deploy of an object in service. */
export const deployTakenUp = <S extends string>(
  inService: readonly S[],
  message: () => Message,
): PassRule<ProvisionFacts, S, 'deployTakenUp'> =>
  ruleFor<ProvisionFacts, S, 'deployTakenUp'>()({
    id: 'deploy-taken-up',
    in: inService,
    when: ({ retry }) => retry.event === 'redeployFound',
    then: 'deployTakenUp',
    says: message,
    look: now,
  });

/** Rules of the deploy gate, closing and opening. */
export function gateRules<S extends string>(
  inService: readonly S[],
): readonly PassRule<ProvisionFacts, S | 'Draft' | 'ProvisionFailed', 'gateClosed' | 'gateOpened'>[] {
  const rule = ruleFor<ProvisionFacts, S | 'Draft' | 'ProvisionFailed', 'gateClosed' | 'gateOpened'>();
  return [
    rule({
      id: 'gate-closed',
      in: [...inService, 'ProvisionFailed'],
      when: isDraft,
      then: 'gateClosed',
      says: () => open('back to draft; deleting its workload'),
    }),
    rule({
      id: 'gate-opened',
      in: ['Draft'],
      when: (facts) => !isDraft(facts),
      then: 'gateOpened',
      says: () => open('the deploy gate was opened'),
      look: now,
    }),
  ];
}

const givenUpRule = ruleFor<TriedFacts, 'ProvisionFailed', Again>();

const specChanged = givenUpRule({
  id: 'spec-changed',
  in: ['ProvisionFailed'],
  when: ({ retry }) => retry.state !== 'ProvisionFailed' && retry.event === 'generationChanged',
  then: 'specChanged',
  says: () => open('spec changed; retrying'),
  look: now,
});

const redeployAsked = ruleFor<TriedFacts, 'ProvisionFailed', 'redeployAsked'>()({
  id: 'redeploy-asked',
  in: ['ProvisionFailed'],
  when: ({ retry }) => retry.state !== 'ProvisionFailed' && retry.event === 'redeployFound',
  then: 'redeployAsked',
  says: () => open('redeployed; retrying'),
  look: now,
});

// Retry was answered between two passes, so this pass has no event for it and may fail permanently once more.
const retryAsked = givenUpRule({
  id: 'retry-asked',
  in: ['ProvisionFailed'],
  when: (facts) => !isGivenUp(facts) || gaveUpNow(facts),
  then: 'retryAsked',
  says: () => retrying,
  look: now,
});

const keptFailure = givenUpRule({
  id: 'failure-stands',
  in: ['ProvisionFailed'],
  when: () => true,
  then: 'failureStood',
  says: () => open('given up; change the spec, redeploy or retry'),
});

/** Rules that restart an undeployed kind after giving up. */
export const againRules: readonly PassRule<TriedFacts, 'ProvisionFailed', Again>[] = [
  specChanged,
  retryAsked,
  keptFailure,
];

/** Rules that restart a deployed kind after giving up. */
export const deployedAgainRules: readonly PassRule<TriedFacts, 'ProvisionFailed', Again | 'redeployAsked'>[] = [
  specChanged,
  redeployAsked,
  retryAsked,
  keptFailure,
];

/** Rules of giving up: the object is not processed, and the reason is recorded. `inService` are all other states. */
export function givingUpRules<S extends string>(
  blocker: Blocked,
  inService: readonly S[],
): readonly PassRule<TriedFacts, S, GivingUp>[] {
  const rule = ruleFor<TriedFacts, S, GivingUp>();
  return [
    rule({
      id: 'failure-time-exhausted',
      in: inService,
      needs: ['around'],
      when: gaveUpBy('timeRanOut'),
      then: 'failureTimeExhausted',
      says: () => open('counted failures for 3 minutes: given up'),
    }),
    rule({
      id: 'permanent-error',
      in: inService,
      needs: ['around'],
      when: gaveUpBy('permanentlyFailed'),
      then: 'permanentErrorFound',
      says: (facts) => blocker.says(facts),
    }),
    rule({
      id: 'failures-exhausted',
      in: inService,
      needs: ['around'],
      when: gaveUpBy('limitReached'),
      then: 'failuresExhausted',
      says: () => open('five counted failures in a row: given up'),
    }),
    rule({
      id: 'given-up-found',
      in: inService,
      needs: ['around'],
      when: isGivenUp,
      then: 'givenUpFound',
      says: () => open('given up already'),
    }),
  ];
}

/**
 * Rules of blockers before giving up: counted once, waited for, or found repeatedly in the same pass. The end of a wait
 * comes with an event.
 */
export function blockerRules<S extends string>(
  blocker: Counted,
  inService: readonly S[],
): readonly PassRule<TriedFacts, S, Blocker>[] {
  const rule = ruleFor<TriedFacts, S, Blocker>();
  return [
    rule({
      id: 'failure-counted',
      in: inService,
      needs: ['around'],
      when: (facts) => blocker.counts(facts) === 'counted' && hasCounted(facts),
      then: 'failureCounted',
      says: (facts) => blocker.says(facts),
      look: requeue,
    }),
    rule({
      id: 'waiting',
      in: inService,
      needs: ['around'],
      when: (facts) => blocker.counts(facts) === 'waiting',
      then: 'waitFound',
      says: (facts) => blocker.says(facts),
    }),
    rule({
      id: 'failure-repeated',
      in: inService,
      needs: ['around'],
      when: (facts) => blocker.counts(facts) !== undefined,
      then: 'failureRepeated',
      says: (facts) => sentence('{hindrance}; not counted in this pass', { hindrance: blocker.says(facts) }),
      look: requeue,
    }),
  ];
}

import type { DraftDeployState } from '../../machines/names.ts';
import { type EventRule, ruleFor } from '../engine.ts';
import type { Fact, FactName, Narrowed } from '../fact.ts';
import { retrying } from '../provisionRetry/says.ts';
import type { RetrySeen } from '../provisionRetry/facts.ts';
import { open, type Said, sentence } from '../words.ts';

/** The facts that every machine that provisions something has. */
export interface TriedFacts {
  readonly now: number;
  readonly retry: RetrySeen;
  readonly around: Fact<object>;
}

/** The same for what is deployed. */
export interface ProvisionFacts extends TriedFacts {
  readonly gate: DraftDeployState;
}

type State = 'Draft' | 'Provisioning' | 'Ready' | 'ProvisionFailed';
type Event =
  | 'gateClosed'
  | 'gateOpened'
  | 'specChanged'
  | 'redeployAsked'
  | 'retryAsked'
  | 'failureStood'
  | 'failureTimeExhausted'
  | 'permanentErrorFound'
  | 'failuresExhausted'
  | 'givenUpFound'
  | 'failureCounted'
  | 'waitFound'
  | 'failureRepeated';
type ProvisionRule = EventRule<ProvisionFacts, State, Event>;

const rule = ruleFor<ProvisionFacts, State, Event>();
const now = { afterMs: 0 };
export const recheck = { afterMs: 30_000 };
export const deployedStates = ['Provisioning', 'Ready'] as const;

export const isDraft = ({ gate }: Pick<ProvisionFacts, 'gate'>): boolean => gate === 'Draft';
type Retried = Pick<ProvisionFacts, 'retry'>;
const isGivenUp = ({ retry }: Retried) => retry.state === 'ProvisionFailed';
const gaveUpBy =
  (...events: readonly string[]) =>
  (facts: Retried) =>
    isGivenUp(facts) && facts.retry.event !== null && events.includes(facts.retry.event);
/** Whether the attempt ended in this very pass, after a try. */
const gaveUpNow = gaveUpBy('limitReached', 'timeRanOut', 'permanentlyFailed');
/** Whether this pass counted its outcome. */
export const hasCounted = ({ retry }: Retried): boolean =>
  retry.event === 'rowBegan' || retry.event === 'failureCounted';

/** The deploy gate, which closes and opens. */
const gateRules = (inService: readonly State[]): readonly ProvisionRule[] => [
  rule({
    id: 'gate-closed',
    in: [...inService, 'ProvisionFailed'],
    when: isDraft,
    then: 'gateClosed',
    says: () => open('a draft again: what was built for it is deleted'),
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

/** What begins anew after it was given up. */
const againRules: readonly ProvisionRule[] = [
  rule({
    id: 'spec-changed',
    in: ['ProvisionFailed'],
    when: ({ retry }) => retry.state !== 'ProvisionFailed' && retry.event === 'generationChanged',
    then: 'specChanged',
    says: () => open('the spec changed: it is tried again'),
    look: now,
  }),
  rule({
    id: 'redeploy-asked',
    in: ['ProvisionFailed'],
    when: ({ retry }) => retry.state !== 'ProvisionFailed' && retry.event === 'redeployFound',
    then: 'redeployAsked',
    says: () => open('deployed again: it is tried again'),
    look: now,
  }),
  // Retry was answered between two passes, so this pass has no event for it and may fail permanently again.
  rule({
    id: 'retry-asked',
    in: ['ProvisionFailed'],
    when: (facts) => !isGivenUp(facts) || gaveUpNow(facts),
    then: 'retryAsked',
    says: () => retrying,
    look: now,
  }),
  rule({
    id: 'failure-stands',
    in: ['ProvisionFailed'],
    when: () => true,
    then: 'failureStood',
    says: () => open('given up; a changed spec, a redeploy or Retry starts it again'),
  }),
];

/** Giving up: what was given up is left alone, and its reason is recorded. */
const givingUpRules = (
  hindranceSays: (facts: ProvisionFacts) => Said,
  inService: readonly State[],
): readonly ProvisionRule[] => [
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
    says: hindranceSays,
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

/** How a hindrance counts; undefined where nothing is in the way. */
type Counts = (facts: ProvisionFacts) => string | undefined;

/** What is in the way of what was not given up: counted once, waited for, or found again in the same pass. */
const hinderedRules = (
  countsAs: Counts,
  hindranceSays: (facts: ProvisionFacts) => Said,
  inService: readonly State[],
): readonly ProvisionRule[] => [
  rule({
    id: 'failure-counted',
    in: inService,
    needs: ['around'],
    when: (facts) => countsAs(facts) === 'counted' && hasCounted(facts),
    then: 'failureCounted',
    says: hindranceSays,
    look: recheck,
  }),
  rule({
    id: 'waiting',
    in: inService,
    needs: ['around'],
    when: (facts) => countsAs(facts) === 'waiting',
    then: 'waitFound',
    says: hindranceSays,
    look: recheck,
  }),
  rule({
    id: 'failure-repeated',
    in: inService,
    needs: ['around'],
    when: (facts) => countsAs(facts) !== undefined,
    then: 'failureRepeated',
    says: (facts) => sentence('{hindrance}; not counted in this pass', { hindrance: hindranceSays(facts) }),
    look: recheck,
  }),
];

/** The rules of what is tried and given up. */
export interface TriedRules<Facts, S extends string, E extends string> {
  readonly again: readonly EventRule<Facts, S, E>[];
  readonly givingUp: readonly EventRule<Facts, S, E>[];
}

/** The rules that the machines of all provisioned kinds have, in the order in which their own come between them. */
export interface ProvisionRules<Facts, S extends string, E extends string> extends TriedRules<Facts, S, E> {
  readonly gate: readonly EventRule<Facts, S, E>[];
}

/** The rules of a kind that is provisioned as soon as it exists, and never deployed. */
export const triedRules = <Facts extends TriedFacts, S extends string, E extends string>(
  hindranceSays: (facts: Narrowed<Facts, FactName<Facts> & 'around'>) => Said,
  inService: readonly S[],
): TriedRules<Facts, State extends S ? S : never, Exclude<Event, 'redeployAsked'> extends E ? E : never> =>
  ({
    again: againRules.filter(({ then }) => then !== 'redeployAsked'),
    givingUp: givingUpRules(hindranceSays as never, inService as never),
  }) as never;

/**
 * They read only what the facts of every such kind have, which the compiler cannot infer of a rule. `inService` are the
 * states of what was deployed and not given up.
 */
export const provisionRules = <Facts extends ProvisionFacts, S extends string, E extends string>(
  hindranceSays: (facts: Narrowed<Facts, FactName<Facts> & 'around'>) => Said,
  inService: readonly S[],
): ProvisionRules<Facts, State extends S ? S : never, Event extends E ? E : never> =>
  ({
    gate: gateRules(inService as never),
    again: againRules,
    givingUp: givingUpRules(hindranceSays as never, inService as never),
  }) as never;

/** The rules of what is in the way, for a kind that has none of its own between them. */
export const hindranceRules = <Facts extends ProvisionFacts, S extends string, E extends string>(
  countsAs: (facts: Narrowed<Facts, FactName<Facts> & 'around'>) => string | undefined,
  hindranceSays: (facts: Narrowed<Facts, FactName<Facts> & 'around'>) => Said,
  inService: readonly S[],
): readonly EventRule<Facts, State extends S ? S : never, Event extends E ? E : never>[] =>
  hinderedRules(countsAs as never, hindranceSays as never, inService as never) as never;

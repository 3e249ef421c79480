import type { DashboardDomainReadyState } from '../../../machines/names.ts';
import type { DashboardDomainFacts, DnsSeen } from '../../../rules/dashboardDomainReady/facts.ts';
import { known } from '../../../rules/fact.ts';
import type { Model } from '../../check/subject.ts';

const troubles = [
  'none',
  'credentialsUnavailable',
  'credentialsIncomplete',
  'serviceMissing',
  'nodesUnlisted',
  'zoneUndecided',
  'tunnelAwaited',
  'recordAwaited',
  'recordRefused',
  'elsewhere',
] as const;
type Trouble = (typeof troubles)[number];

/** A dashboard whose address responds or not, the obstacle, and what an observer remembers. */
interface World {
  readonly state: DashboardDomainReadyState;
  readonly domain: boolean;
  readonly answers: boolean;
  readonly trouble: Trouble;
  /** Whether the generation is newer than the checked one. */
  readonly edited: boolean;
  /** How long the condition has been False, in ms; null while it is not. */
  readonly pending: number | null;
  readonly seen: Witness;
}

interface Witness {
  /** How long ago the first check of this generation failed, in ms. */
  readonly failing: number | null;
  /** Whether the address responded to a probe since the last edit. */
  readonly answered: boolean;
}

const now = 1_800_000_000_000;
const quarter = 900_000;
const notPending: readonly DashboardDomainReadyState[] = ['Unchecked', 'Verified', 'NoDomain'];

/** The condition keeps the time of its last status change, and is written for the checked generation. */
function entered(world: World, state: DashboardDomainReadyState): World {
  const isFalse = state !== 'Unchecked' && state !== 'Verified';
  const { failing, answered } = world.seen;
  const seen: Witness = {
    failing: notPending.includes(state) ? failing : (failing ?? 0),
    answered: answered || (state !== 'Unchecked' && world.answers),
  };
  const edited = world.edited && state !== 'Unchecked' && world.state !== 'Unchecked';
  return { ...world, state, edited, pending: isFalse ? (world.pending ?? 0) : null, seen };
}

const factsOf = ({ domain, answers, trouble, edited, pending }: World): DashboardDomainFacts => ({
  now,
  generation: edited ? 2 : 1,
  checkedGeneration: 1,
  pendingSince: pending === null ? null : now - pending,
  rootDomain: domain ? 'example.org' : '',
  host: domain ? 'core.example.org' : '',
  exposure: trouble === 'tunnelAwaited' ? 'tunnel' : 'ingress',
  tunnelHostname: '',
  secret: 'platform-dns',
  credentials:
    trouble === 'credentialsUnavailable'
      ? 'unavailable'
      : trouble === 'credentialsIncomplete'
        ? 'incomplete'
        : 'complete',
  serviceFound: trouble !== 'serviceMissing',
  issuerReason: '',
  cause: '',
  probe: known(answers && domain ? { is: 'answers' } : { is: 'silent', why: 'ECONNREFUSED' }),
  nodes: known(trouble === 'nodesUnlisted' ? 'refused' : 'listed'),
  zone: known(trouble === 'zoneUndecided' ? 'undecided' : 'settled'),
  dns: known(dnsOf(trouble)),
});

function dnsOf(trouble: Trouble): DnsSeen {
  if (trouble === 'recordAwaited') return { is: trouble };
  if (trouble === 'recordRefused') return { is: trouble, why: 'the zone is locked' };
  return trouble === 'elsewhere' ? { is: trouble, why: 'it has no address' } : { is: 'right' };
}

const older = (age: number | null) => (age === null ? null : Math.min(age + 300_000, quarter));
const edit = (world: World): World => ({ ...world, edited: true, seen: { failing: null, answered: false } });

/** A platform configuration that is edited, and an address that responds or not. */
export const model: Model<World, DashboardDomainFacts, DashboardDomainReadyState> = {
  start: [
    {
      state: 'Unchecked',
      domain: false,
      answers: false,
      trouble: 'none',
      edited: false,
      pending: null,
      seen: { failing: null, answered: false },
    },
  ],
  state: ({ state }) => state,
  enter: (world, state) => entered(world, state as DashboardDomainReadyState),
  facts: factsOf,
  does: { report: (world) => world },
  moves: [
    {
      name: 'five minutes pass',
      undisturbed: true,
      on: (world) => {
        const pending = older(world.pending);
        const failing = older(world.seen.failing);
        if (pending === world.pending && failing === world.seen.failing) return [];
        return [{ ...world, pending, seen: { ...world.seen, failing } }];
      },
    },
    {
      name: 'the provider shows the record, or fails',
      undisturbed: true,
      on: (world) =>
        world.trouble === 'recordAwaited'
          ? (['none', 'recordRefused'] as const).map((trouble) => ({ ...world, trouble }))
          : [],
    },
    { name: 'the spec is edited', on: (world) => [edit(world), edit({ ...world, domain: !world.domain })] },
    { name: 'the address answers, or no longer', on: (world) => [{ ...world, answers: !world.answers }] },
    { name: 'something stands in its way', on: (world) => troubles.map((trouble) => ({ ...world, trouble })) },
  ],
  within: () => true,
  invariants: {
    verifiedForItsGeneration: { never: ({ state, edited, seen }) => state === 'Verified' && !edited && !seen.answered },
    notTimedOutEarly: {
      never: ({ state, edited, seen }) =>
        state === 'VerificationTimedOut' && !edited && (seen.failing === null || seen.failing < quarter),
    },
    timedOutInTime: {
      alwaysStep: (before, after, step) =>
        !step.startsWith('pass: ') ||
        before.edited ||
        before.answers ||
        before.seen.failing !== quarter ||
        after.state === 'VerificationTimedOut',
    },
    ends: {
      eventually: ({ state, domain, answers }) => {
        if (!domain) return state === 'NoDomain';
        return state === (answers ? 'Verified' : 'VerificationTimedOut') || state === 'Verified';
      },
    },
  },
};

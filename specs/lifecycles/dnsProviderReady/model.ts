import type { DnsProviderReadyState } from '../../../machines/names.ts';
import type { DnsProviderFacts, ProviderFailure } from '../../../rules/dnsProviderReady/facts.ts';
import { known } from '../../../rules/fact.ts';
import type { Model } from '../../check/subject.ts';

/** A platform configuration, and a provider that stores what was published to it. */
interface World {
  readonly state: DnsProviderReadyState;
  readonly connection: boolean;
  readonly keys: boolean;
  readonly accepts: boolean;
  readonly exposure: DnsProviderFacts['exposure'];
  readonly domain: boolean;
  /** What the provider would refuse to publish. */
  readonly refuses: ProviderFailure['at'] | null;
  readonly published: 'nothing' | 'record' | 'tunnel';
  /** Whether the tunnel's Deployment and Secret exist. */
  readonly agent: boolean;
}

const isTrue = (state: DnsProviderReadyState) => state === 'Connected' || state === 'Ready';
const wanted = ({ exposure, domain }: World): World['published'] => {
  if (exposure === 'tunnel') return 'tunnel';
  return domain ? 'record' : 'nothing';
};
const isDue = (world: World) => wanted(world) !== 'nothing' && wanted(world) !== world.published;
const refusal = (world: World): ProviderFailure['at'] | null =>
  isDue(world) && (world.exposure === 'tunnel' || world.refuses === 'record') ? world.refuses : null;

function factsOf(world: World): DnsProviderFacts {
  const { connection, keys, accepts, exposure, domain } = world;
  const at = refusal(world);
  return {
    secret: connection ? 'platform-dns' : '',
    missingKeys: keys ? [] : ['accountId'],
    exposure,
    rootDomain: domain ? 'example.org' : '',
    now: 1_800_000_000_000,
    limitedUntil: null,
    failure: at === null ? null : { at, why: 'the provider answered 500' },
    provider: known({
      credentials: accepts ? 'accepted' : 'refused',
      failure: null,
      due: isDue(world) ? [wanted(world)] : [],
      stage: 'record',
      zone: domain ? 'settled' : 'none',
      tunnelID: '',
      routes: '',
      dashboardRecord: !isDue(world),
    }),
  };
}

/** The state to which an undisturbed configuration converges. */
function endsIn(world: World): readonly DnsProviderReadyState[] {
  if (!world.connection) return ['Absent'];
  if (!world.keys) return ['CredentialsIncomplete'];
  if (!world.accepts) return ['CredentialsInvalid'];
  if (refusal(world) !== null) return ['TunnelError', 'TunnelTokenError', 'TunnelConfigError', 'DNSError'];
  return [world.exposure === 'tunnel' ? 'Ready' : 'Connected'];
}

/** A platform configuration that people edit, and a provider that accepts and refuses. */
export const model: Model<World, DnsProviderFacts, DnsProviderReadyState> = {
  start: [
    {
      state: 'Absent',
      connection: false,
      keys: true,
      accepts: true,
      exposure: 'ingress',
      domain: false,
      refuses: null,
      published: 'nothing',
      agent: false,
    },
  ],
  state: ({ state }) => state,
  enter: (world, state) => ({ ...world, state: state as DnsProviderReadyState }),
  facts: factsOf,
  does: {
    report: (world) => world,
    forget: (world) => world,
    publish: (world) => ({ ...world, published: wanted(world), agent: world.agent || wanted(world) === 'tunnel' }),
  },
  ensures: {
    noTunnelAgent: (world) => ({
      ...world,
      agent: false,
      published: world.published === 'tunnel' ? 'nothing' : world.published,
    }),
  },
  moves: [
    { name: 'the connection is set or unset', on: (world) => [{ ...world, connection: !world.connection }] },
    { name: 'the Secret gains or loses a key', on: (world) => [{ ...world, keys: !world.keys }] },
    { name: 'the provider accepts or refuses the credentials', on: (world) => [{ ...world, accepts: !world.accepts }] },
    {
      name: 'the exposure is changed',
      on: (world) => [{ ...world, exposure: world.exposure === 'tunnel' ? 'ingress' : 'tunnel' }],
    },
    { name: 'the root domain is set or emptied', on: (world) => [{ ...world, domain: !world.domain }] },
    {
      name: 'the provider refuses a piece, or no longer',
      on: (world) => ([null, 'tunnel', 'token', 'routes', 'record'] as const).map((refuses) => ({ ...world, refuses })),
    },
  ],
  within: () => true,
  invariants: {
    setOnlyWithConnection: {
      alwaysStep: (before, after, step) =>
        !step.startsWith('pass: ') || before.connection === (after.state !== 'Absent'),
    },
    trueMeansPublished: {
      alwaysStep: (before, after) =>
        before.state === after.state ||
        !isTrue(after.state) ||
        (before.connection && before.keys && before.accepts && !isDue(before)),
    },
    noAgentWithoutConnection: { never: ({ state, agent }) => state === 'Absent' && agent },
    settles: { eventually: (world) => endsIn(world).includes(world.state) },
  },
};

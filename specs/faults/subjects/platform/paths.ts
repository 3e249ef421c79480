import type { PlatformConfigSpec } from '../../../../crds/corePlatformConfig.ts';
import { domainState } from '../../../../runtime/controllers/platformConfig/lifecycles/dashboardDomainReady/lifecycle.ts';
import { providerState } from '../../../../runtime/controllers/platformConfig/lifecycles/dnsProviderReady/lifecycle.ts';
import { publicIP, putConfig, putCredentials, putGround } from '../../../runtime/controllers/platform/session.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import type { Act, Path } from '../subject.ts';
import { configIn, unmanaged } from './objects.ts';

const host = 'core.example.org';
const connected = { rootDomain: 'example.org', dnsConnectionRef: { name: 'platform-dns' } } as const;

const baseline =
  (spec: Partial<PlatformConfigSpec>, prepare: (environment: TestEnvironment) => void = () => {}) =>
  (environment: TestEnvironment) => {
    putGround(environment);
    putCredentials(environment);
    environment.dnsProvider.recordsOf.set('zone-1', [unmanaged]);
    prepare(environment);
    putConfig(environment, spec);
  };
/** A clock that jumps over the time limit turns what is pending into what has timed out. */
const stateIs = (state: string) => (environment: TestEnvironment) => {
  const config = configIn(environment);
  if (config === undefined) return false;
  const [provider, domain = ''] = state.split(' ');
  const now = domainState(config);
  const isLate = domain.startsWith('Pending') && now === 'VerificationTimedOut';
  return providerState(config) === provider && (now === domain || isLate);
};
const once = (state: string, text: string, edit: (environment: TestEnvironment) => void): Act => ({
  text,
  when: stateIs(state),
  edit,
});
const answers = (environment: TestEnvironment) => void (environment.reach.probe = { is: 'answers' });
const resolves = (environment: TestEnvironment) => void environment.reach.names.set(host, [publicIP]);
/** The dashboard answers as soon as what publishes it stands. */
const reachable = (state: string) => once(state, 'the dashboard answers', answers);

type Told = readonly [name: string, end: string, given: Path['given'], ...script: readonly Act[]];

const told: readonly Told[] = [
  ['there is no domain', 'Absent NoDomain', baseline({})],
  [
    'a domain is published by hand',
    'Absent Verified',
    baseline({ rootDomain: 'example.org' }),
    once('Absent PendingDNS', 'the record is made', resolves),
    reachable('Absent PendingHTTPS'),
  ],
  ['the provider makes the record', 'Connected Verified', baseline(connected), reachable('Connected PendingHTTPS')],
  [
    'the provider makes a tunnel',
    'Ready Verified',
    baseline({ ...connected, dashboardExposure: 'tunnel' }),
    reachable('Ready PendingHTTPS'),
  ],
  [
    'a tunnel gives way to an Ingress',
    'Connected Verified',
    baseline({ ...connected, dashboardExposure: 'tunnel' }),
    reachable('Ready PendingHTTPS'),
    once('Ready Verified', 'an Ingress is chosen', (environment) =>
      putConfig(environment, { dashboardExposure: 'ingress' }),
    ),
  ],
  [
    'the provider is disconnected',
    'Absent Verified',
    baseline({ ...connected, dashboardExposure: 'tunnel' }),
    reachable('Ready PendingHTTPS'),
    once('Ready Verified', 'it is disconnected', (environment) => putConfig(environment, { dnsConnectionRef: null })),
  ],
  [
    'a domain comes late',
    'Connected Verified',
    baseline({ dnsConnectionRef: connected.dnsConnectionRef }, answers),
    once('Connected NoDomain', 'a domain is set', (environment) =>
      putConfig(environment, { rootDomain: 'example.org' }),
    ),
  ],
];

/** The paths of the settings that publish the dashboard. */
export const platformPaths: readonly Path[] = told.map(([name, end, given, ...script]) => ({
  name,
  given,
  script,
  actors: () => [],
  ends: [end],
}));

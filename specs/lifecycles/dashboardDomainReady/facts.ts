import * as fc from 'fast-check';
import type { DashboardDomainFacts } from '../../../rules/dashboardDomainReady/facts.ts';
import type { DashboardDomainVerdictFacts } from '../../../rules/dashboardDomainReady/ready.ts';
import { type Fact, known, unasked, unknown } from '../../../rules/fact.ts';

const now = 1_800_000_000_000;

const mostly = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
type In<Name extends 'probe' | 'nodes' | 'zone' | 'dns'> = Extract<
  DashboardDomainFacts[Name],
  { readonly is: 'known' }
>['value'];

const dns = fc.oneof(
  fc.constantFrom<In<'dns'>>({ is: 'right' }, { is: 'recordAwaited' }, { is: 'elsewhere', why: 'it has no address' }),
  fc.constantFrom('the zone is locked', '').map((why): In<'dns'> => ({ is: 'recordRefused', why })),
);
const nodes = mostly<In<'nodes'>>('listed', 'refused', 'notNeeded');
const zone = mostly<In<'zone'>>('settled', 'undecided');
const probe = mostly<In<'probe'>>({ is: 'silent', why: 'ECONNREFUSED' }, { is: 'answers' });

const given = {
  now: fc.constant(now),
  generation: mostly(7, 8),
  checkedGeneration: fc.constant(7),
  pendingSince: fc.constantFrom(null, now, now + 1, now - 5_000, now - 899_999, now - 900_000, now - 900_001, 0),
  rootDomain: mostly('example.org', ''),
  host: fc.constant('core.example.org'),
  exposure: fc.constantFrom<DashboardDomainFacts['exposure']>('ingress', 'tunnel'),
  tunnelHostname: fc.constantFrom('', 'abc.tunnel.example.net'),
  secret: fc.constant('platform-dns'),
  credentials: mostly<DashboardDomainFacts['credentials']>('complete', 'notAsked', 'unavailable', 'incomplete'),
  serviceFound: mostly(true, false),
  issuerReason: fc.constantFrom('', 'ACMEEmailMissing'),
  cause: fc.constantFrom('', 'it has no address'),
};
const all = { ...given, probe: probe.map(known), nodes: nodes.map(known), zone: zone.map(known), dns: dns.map(known) };

/** Known facts at every boundary. */
export const facts: fc.Arbitrary<DashboardDomainFacts> = fc.record(all);

/** The same with the state that a check reached. */
export const verdictFacts: fc.Arbitrary<DashboardDomainVerdictFacts> = fc.record({
  ...all,
  reached: fc.constantFrom<DashboardDomainVerdictFacts['reached']>(
    'Unchecked',
    'NoDomain',
    'PendingDNS',
    'PendingHTTPS',
    'PendingHTTPS',
    'PendingTunnel',
    'ZoneRequired',
    'Error',
    'Error',
    'VerificationTimedOut',
    'Verified',
  ),
});

const number = fc.constantFrom(Number.NaN, -1, 0, Infinity, 1e300);
const text = fc.oneof(fc.constantFrom('', '__proto__', 'CORE.EXAMPLE.ORG', 'x'.repeat(10_000)), fc.string());
const fact = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Fact<T>> =>
  fc.oneof(fc.constant<Fact<T>>(unasked), text.map(unknown), value.map(known));

/** Invalid facts. */
export const invalid: fc.Arbitrary<DashboardDomainFacts> = fc.record({
  ...given,
  now: number,
  generation: number,
  checkedGeneration: number,
  pendingSince: fc.option(number),
  rootDomain: text,
  host: text,
  tunnelHostname: text,
  secret: text,
  issuerReason: text,
  cause: text,
  probe: fact(probe),
  nodes: fact(nodes),
  zone: fact(zone),
  dns: fact(dns),
});

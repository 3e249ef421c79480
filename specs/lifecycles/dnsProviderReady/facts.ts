import * as fc from 'fast-check';
import type { DnsProviderFacts, ProviderFailure, ProviderSeen } from '../../../rules/dnsProviderReady/facts.ts';
import type { DnsProviderVerdictFacts } from '../../../rules/dnsProviderReady/ready.ts';
import { type Fact, known, unasked, unknown } from '../../../rules/fact.ts';

const mostly = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const at = fc.constantFrom<ProviderFailure['at']>('tunnel', 'token', 'routes', 'record');
const credentials = mostly<ProviderSeen['credentials']>('accepted', 'refused', 'unknown');
const failure = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.record({ at, why: fc.constantFrom('the provider answered 500', '') }) },
);
const due = fc.constantFrom<readonly string[]>([], [], ['record'], ['tunnel', 'routes']);

const provider: fc.Arbitrary<ProviderSeen> = fc.record({
  credentials,
  failure,
  due,
  stage: at,
  zone: mostly<ProviderSeen['zone']>('settled', 'undecided', 'none', null),
  tunnelID: fc.constantFrom('', 'tunnel-1'),
  routes: fc.constantFrom('', 'hash'),
  dashboardRecord: fc.constantFrom(true, false, null),
});

const given = {
  now: fc.constant(1_800_000_000_000),
  limitedUntil: fc.constantFrom(null, 1_800_000_060_000),
  secret: mostly('platform-dns', ''),
  missingKeys: mostly<readonly string[]>([], ['apiToken'], ['accountId'], ['apiToken', 'accountId']),
  exposure: fc.constantFrom<DnsProviderFacts['exposure']>('ingress', 'tunnel'),
  rootDomain: fc.constantFrom('', 'example.org'),
  failure,
  provider: provider.map(known),
};

/** Known facts at every boundary. */
export const facts: fc.Arbitrary<DnsProviderFacts> = fc.record(given);

/** The same with the state that a pass reached. */
export const verdictFacts: fc.Arbitrary<DnsProviderVerdictFacts> = fc.record({
  ...given,
  reached: fc.constantFrom<DnsProviderVerdictFacts['reached']>(
    'Connecting',
    'Connected',
    'Connected',
    'Ready',
    'CredentialsIncomplete',
    'CredentialsInvalid',
    'TunnelError',
    'TunnelTokenError',
    'TunnelConfigError',
    'DNSError',
  ),
});

const text = fc.oneof(fc.constantFrom('', '__proto__', 'x'.repeat(10_000)), fc.string());
const texts = fc.array(text, { maxLength: 4 });
const fact = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Fact<T>> =>
  fc.oneof(fc.constant<Fact<T>>(unasked), text.map(unknown), value.map(known));

/** Invalid facts. */
export const invalid: fc.Arbitrary<DnsProviderFacts> = fc.record({
  ...given,
  secret: text,
  missingKeys: texts,
  rootDomain: text,
  failure: fc.option(fc.record({ at, why: text })),
  provider: fact(provider),
  limitedUntil: fc.option(fc.constantFrom(Number.NaN, -1, Infinity)),
});

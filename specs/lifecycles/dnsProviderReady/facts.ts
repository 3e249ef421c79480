import * as fc from 'fast-check';
import type { DnsProviderFacts, ProviderFailure } from '../../../rules/dnsProviderReady/facts.ts';
import type { DnsProviderVerdictFacts } from '../../../rules/dnsProviderReady/ready.ts';
import { type Fact, known, unasked, unknown } from '../../../rules/fact.ts';

const mostly = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const at = fc.constantFrom<ProviderFailure['at']>('tunnel', 'token', 'routes', 'record');
const credentials = mostly<'accepted' | 'refused'>('accepted', 'refused');
const due = fc.constantFrom<readonly string[]>([], [], ['record'], ['tunnel', 'routes']);

const given = {
  secret: mostly('platform-dns', ''),
  missingKeys: mostly<readonly string[]>([], ['apiToken'], ['accountId'], ['apiToken', 'accountId']),
  exposure: fc.constantFrom<DnsProviderFacts['exposure']>('ingress', 'tunnel'),
  rootDomain: fc.constantFrom('', 'example.org'),
  credentials: credentials.map(known),
  failure: fc.oneof(
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.record({ at, why: fc.constantFrom('the provider answered 500', '') }) },
  ),
  duePieces: due.map(known),
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
export const hostile: fc.Arbitrary<DnsProviderFacts> = fc.record({
  ...given,
  secret: text,
  missingKeys: texts,
  rootDomain: text,
  credentials: fact(credentials),
  failure: fc.option(fc.record({ at, why: text })),
  duePieces: fact<readonly string[]>(texts),
});

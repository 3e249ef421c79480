import { Clock, Effect } from 'effect';
import type { CorePlatformConfig } from '../../../../../crds/corePlatformConfig.ts';
import { annotation } from '../../../../../crds/names.ts';
import { dnsProviderReady as machine } from '../../../../../machines/dnsProviderReady.ts';
import type { DnsProviderReadyEvent, DnsProviderReadyState } from '../../../../../machines/names.ts';
import { tables } from '../../../../../machines/tables.ts';
import { hashOf } from '../../../../../rules/canonical.ts';
import { dnsProviderEvents } from '../../../../../rules/dnsProviderReady/events.ts';
import {
  type DnsProviderFacts,
  failureOf,
  type ProviderFailure,
  type ProviderSeen,
  type Stage,
} from '../../../../../rules/dnsProviderReady/facts.ts';
import { addressIn } from '../../../../../rules/domain/address.ts';
import { byState } from '../../../../../rules/engine.ts';
import { known, unasked } from '../../../../../rules/fact.ts';
import type { CacheReader } from '../../../../cache/reader.ts';
import {
  type Acting,
  type ActionFailed,
  type AnyLifecycle,
  lifecycle,
  type ReconcileInput,
} from '../../../../contract/lifecycle.ts';
import type { Owned } from '../../../../owned/owned.ts';
import { credentialsOf } from '../../observe/credentials.ts';
import { publish } from './actions.ts';
import { publishingOf } from '../../observe.ts';
import { type ProviderRead, readProvider } from './ask.ts';
import { storedToken } from '../../owned.ts';

/** How long a read is valid while no input changes (PLC-039). */
const unchangedForMs = 300_000;

/** The last read, with its settings and hosts, requested check and time. */
interface ReadingEntry {
  readonly of: string;
  readonly request: string;
  readonly read: ProviderRead;
  readonly at: number;
}

const states: readonly string[] = Object.keys(machine.states);
export const providerState = ({ status }: CorePlatformConfig): DnsProviderReadyState =>
  (states.find((state) => state === status?.dnsProviderState) ?? 'Absent') as DnsProviderReadyState;

const stages: readonly string[] = ['tunnel', 'token', 'routes', 'record'] satisfies readonly Stage[];

/** The failure of a stage; other failures of the pass are ignored. */
const failureIn = (failure: ActionFailed | null): ProviderFailure | null =>
  failure !== null && stages.includes(failure.action) ? { at: failure.action as Stage, why: failure.message } : null;

/** Facts without calls: the settings, and a recent read. */
export const providerFacts = (
  config: CorePlatformConfig,
  reader: CacheReader,
  { now, failure }: Pick<ReconcileInput, 'now' | 'failure'>,
): Omit<DnsProviderFacts, 'provider' | 'limitedUntil'> => {
  const { secret, missing } = credentialsOf(config, reader);
  return {
    now,
    secret,
    missingKeys: secret === '' ? [] : missing,
    exposure: config.spec.dashboardExposure,
    rootDomain: addressIn(config).root,
    failure: failureIn(failure),
  };
};

/** The read zone and record; unread ones keep their earlier state. */
const recordReport = (config: CorePlatformConfig, seen: ProviderSeen | null) => ({
  ...(seen === null || seen.zone === null ? {} : { zone: seen.zone }),
  ...(seen === null || seen.dashboardRecord === null
    ? {}
    : { dashboardRecord: seen.dashboardRecord, host: addressIn(config).host }),
});

/** All inputs of the requests, except the state at the provider. */
const inputsOf = (config: CorePlatformConfig, reader: CacheReader): string => {
  const tunnelID = config.status?.tunnelID ?? '';
  return hashOf({
    publishing: publishingOf(config, reader, tunnelID),
    credentials: credentialsOf(config, reader),
    zone: config.spec.dnsZoneID ?? '',
    routes: config.status?.dnsProvider?.routes ?? '',
    hasToken: storedToken(tunnelID, reader) !== undefined,
  });
};

/** The requested check, which reads the provider regardless of the last read. */
const requestOf = ({ metadata }: CorePlatformConfig): string => metadata.annotations?.[annotation.lookAt] ?? '';

/** The condition DnsProviderReady: publishes hosts through the provider in stages. */
export function providerLifecycle(ownedResources: Owned<CorePlatformConfig>): AnyLifecycle {
  let kept: ReadingEntry | null = null;
  let limitedUntil: number | null = null;

  /** The last read while valid; a rate limit is valid until its end. */
  const heldOf = (config: CorePlatformConfig, reader: CacheReader, now: number): ProviderRead | null => {
    if (kept === null || kept.of !== inputsOf(config, reader)) return null;
    if (limitedUntil !== null && now < limitedUntil) return kept.read.seen.failure === null ? null : kept.read;
    const { seen } = kept.read;
    const isWhole = seen.credentials === 'accepted' && seen.failure === null && seen.due.length === 0;
    const isRecent = now >= kept.at && now < kept.at + unchangedForMs && kept.request === requestOf(config);
    return isWhole && isRecent ? kept.read : null;
  };

  const read = (config: CorePlatformConfig, reader: CacheReader) =>
    Effect.gen(function* () {
      const of = inputsOf(config, reader);
      const found = yield* readProvider(config, reader);
      kept = { of, request: requestOf(config), read: found, at: yield* Clock.currentTimeMillis };
      limitedUntil = found.until;
      return known(found.seen);
    });

  const report = ({ object, facts }: Acting<CorePlatformConfig, DnsProviderFacts>) => {
    const seen = facts.provider.is === 'known' ? facts.provider.value : null;
    const failure = failureOf(facts);
    return {
      ...(seen === null || seen.tunnelID === '' ? {} : { tunnelID: seen.tunnelID }),
      dnsProvider: {
        ...object.status?.dnsProvider,
        why: failure?.why ?? '',
        ...recordReport(object, seen),
      },
    };
  };

  return lifecycle<CorePlatformConfig, DnsProviderFacts, DnsProviderReadyState, DnsProviderReadyEvent['type']>({
    name: 'dnsProviderReady',
    storage: 'status',
    machine,
    ...tables.dnsProviderReady,
    rules: byState(dnsProviderEvents),
    retrying: (config) => providerState(config).endsWith('Error'),
    read: providerState,
    write: (to) => ({ dnsProviderState: to === 'Absent' ? null : to }),
    shown: providerState,
    observe: (config, reader, input) => {
      const held = heldOf(config, reader, input.now);
      return {
        ...providerFacts(config, reader, input),
        provider: held === null ? unasked : known(held.seen),
        limitedUntil,
      };
    },
    ask: (_, config, reader) => read(config, reader),
    actions: {
      report: { patch: report },
      forget: { patch: () => ({ dnsProvider: null }) },
      publish: {
        patch: (acting) => {
          const seen = acting.facts.provider.is === 'known' ? acting.facts.provider.value : null;
          const sent = seen?.stage === 'routes' ? { routes: seen.routes } : {};
          const { dnsProvider, ...others } = report(acting);
          return { ...others, dnsProvider: { ...dnsProvider, ...sent } };
        },
        effect: ({ object: config, reader }) => {
          const last = kept?.read;
          if (last === undefined) return Effect.void;
          // After a write, the provider is read first.
          kept = null;
          const limited = (until: number) => {
            limitedUntil = until;
          };
          return publish({ config, reader, read: last, ownedResources, limited });
        },
      },
    },
    ensures: { noTunnelAgent: ownedResources.ensure },
  });
}

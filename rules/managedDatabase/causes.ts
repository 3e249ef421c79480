import { found, itself } from '../cause/rule.ts';
import type { Severity } from '../cause/reasons.ts';
import { hidden, nothing, sentence, toViewers } from '../words.ts';
import type { ManagedSeen } from './message.ts';

interface Seen {
  readonly managed: ManagedSeen | null;
}

/** The provider's own state of a database that does not serve yet, and until when it is awaited. */
const starting = (severity: Severity) =>
  found<Seen>(['ProviderStarting'], ({ managed }, { self, message }) => {
    const until = managed?.until;
    return [
      {
        reason: 'ProviderStarting',
        severity,
        message: sentence('{message}: {state}{until}', {
          message,
          state: hidden(managed === null || managed.found === '' ? 'not created yet' : stateOf(managed)),
          until: until === undefined ? nothing : sentence(', awaited until {until}', { until: toViewers(until) }),
        }),
        on: self,
      },
    ];
  });

const stateOf = ({ ready }: ManagedSeen): string => (ready ? 'ready, without a login' : 'created and not ready');

/** The causes of the rows of a provider, by what they tell. */
export const providerCauses = {
  setting: itself<Seen>('SettingRefused'),
  refused: itself<Seen>('CloudRefused'),
  silent: itself<Seen>('CloudSilent'),
  unstored: itself<Seen>('ClusterRefused'),
  starting: starting('progress'),
  overdue: starting('failure'),
} as const;

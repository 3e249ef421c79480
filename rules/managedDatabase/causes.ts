import { type CauseInput, found, itself } from '../cause/rule.ts';
import { type FoundCause, foundAgain } from '../cause/cause.ts';
import type { CauseReason, Severity } from '../cause/reasons.ts';
import { hidden, nothing, sentence, toViewers } from '../words.ts';
import type { ManagedSeen } from './message.ts';

interface Seen {
  readonly managed: ManagedSeen | null;
}

/** What only an answer of the provider can end. */
const answered: readonly string[] = ['SettingRefused', 'CloudRefused', 'CloudSilent'] satisfies CauseReason[];

/**
 * The cause of a database that was given up: the provider is not asked any more, so what it answered last is on record
 * only, and nothing starts. Null while it is asked.
 */
function ofGivenUp({ self, causeOf }: CauseInput): readonly FoundCause[] | null {
  const recorded = causeOf(self.kind, self.name);
  if (recorded?.gaveUp !== true) return null;
  return recorded.resolved !== true && answered.includes(recorded.reason) ? [foundAgain(recorded)] : [];
}

/** The provider's own state of a database that does not serve yet, and until when it is awaited. */
const starting = (severity: Severity) =>
  found<Seen>(['ProviderStarting'], ({ managed }, input) => {
    const { self, message } = input;
    const ended = ofGivenUp(input);
    if (ended !== null) return ended;
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

import type { Counts, VerdictRule } from '../verdict.ts';
import { managedDatabaseLimits } from './limits.ts';
import { managedKind } from './kind.ts';
import { closed, hidden, sentence, withheld } from '../words.ts';

/** The facts about a managed database that its messages use. */
export interface ManagedSeen {
  readonly engine: string;
  readonly name: string;
  /** Whether the connection Secret holds the login. */
  readonly stored: boolean;
  /** Why a call to the provider failed; empty when it succeeded. */
  readonly failure: string;
  /** The effect of that failure on the counted failures. */
  readonly weight: Counts;
  /** The kind of the provider's database of that name; empty when it has none. */
  readonly found: string;
  readonly ready: boolean;
  readonly storeFailed: boolean;
  readonly waitedMs: number;
  /** Until when the provider is awaited; undefined before the wait began. */
  readonly until?: string | undefined;
}

/** The initial message. */
export const managedStarting = closed('ManagedDb database is starting');

export const startLate = closed('ManagedDb database did not become ready within 30m0s');
export const engineMessage = ({ engine }: Pick<ManagedSeen, 'engine'>) =>
  withheld(sentence('ManagedDb hosts MySQL and Postgres databases, not {engine}', { engine: hidden(engine) }));

type Row = VerdictRule<ManagedSeen>;

export const stored: Row = {
  reason: 'DatabaseReady',
  status: 'True',
  when: (seen) => seen.stored,
  message: () => closed('ManagedDb database connection is available'),
};
export const engineRefused: Row = {
  reason: 'ProvisionFailed',
  status: 'False',
  when: ({ engine }) => managedKind(engine) === null,
  message: engineMessage,
};
export const providerFailed: Row = {
  reason: 'ReconcileError',
  status: 'False',
  when: ({ failure }) => failure !== '',
  message: ({ failure }) => withheld(sentence('ManagedDb did not answer: {failure}', { failure: hidden(failure) })),
};
export const otherKind: Row = {
  reason: 'ProvisionFailed',
  status: 'False',
  when: ({ found, engine }) => found !== '' && found !== managedKind(engine),
  message: ({ name, found, engine }) =>
    withheld(
      sentence('ManagedDb database "{name}" already exists as {found}, not {managedKind}', {
        name: hidden(name),
        found: hidden(found),
        managedKind: hidden(managedKind(engine) ?? 'null'),
      }),
    ),
};
export const storeFailed: Row = {
  reason: 'ReconcileError',
  status: 'False',
  when: (seen) => seen.storeFailed,
  message: () => closed('the login could not be stored and is revoked'),
};
export const startOverdue: Row = {
  reason: 'ReconcileError',
  status: 'False',
  when: ({ ready, waitedMs }) => !ready && waitedMs >= managedDatabaseLimits.startMs,
  message: () => startLate,
};
const starting: Row = {
  reason: 'ReconcileError',
  status: 'False',
  when: () => true,
  message: () => managedStarting,
};

/** The Ready message of a managed database, in the order checked. */
export const managedDatabaseMessage: readonly Row[] = [
  // A stored login stays valid, so the provider is not called again.
  stored,
  engineRefused,
  providerFailed,
  otherKind,
  storeFailed,
  startOverdue,
  starting,
];

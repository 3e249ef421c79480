import { capital } from './capital.ts';

/** The tone of a state: its colour, and with it an icon, so that colour is never alone. */
export type Tone = 'waiting' | 'active' | 'good' | 'bad' | 'idle' | 'unknown';

export type Sign = 'ring' | 'hourglass' | 'arrow' | 'check' | 'cross' | 'slash' | 'question' | 'pencil' | 'bang';

interface Look {
  readonly tone: Tone;
  readonly sign: Sign;
}

/** The states of all lifecycles by their look; a state in lower case looks like the same word with a capital. */
const groups: readonly (readonly [Look, string])[] = [
  [{ tone: 'idle', sign: 'ring' }, '(none) Absent NoBackup NoDomain Recorded Saved Unchecked'],
  [{ tone: 'idle', sign: 'slash' }, '(deleted) Asleep Cancelled Closed Deleting Ended Expired Retired Revoked Stopped'],
  [{ tone: 'idle', sign: 'pencil' }, 'Draft'],
  [{ tone: 'waiting', sign: 'pencil' }, 'PendingChanges'],
  [
    { tone: 'waiting', sign: 'hourglass' },
    `AtRisk Closing Connecting Counting FinalBackup FirstAttempt NeedsStorage Opening Pending PendingDNS PendingHTTPS PendingTunnel
    Provisioning Reconciling RollingOut SecondAttempt Starting ThirdAttempt Waiting WaitingForCI`,
  ],
  [{ tone: 'active', sign: 'arrow' }, 'Active Attached LoginIssued Open Running Ungated'],
  [
    { tone: 'good', sign: 'check' },
    `Approved Available Clean Connected Delivered Deployed Done Issued ProjectReady Protected Ready Sleeps
    StaysRunning Succeeded Verified`,
  ],
  [
    { tone: 'bad', sign: 'cross' },
    `CredentialsIncomplete CredentialsInvalid DNSError Error Failed FailedBeforeJob Locked ProvisionFailed
    ReconcileError Refused SnapshotMissing TimedOut TunnelConfigError TunnelError TunnelTokenError VerificationTimedOut
    ZoneRequired`,
  ],
  [{ tone: 'unknown', sign: 'question' }, 'Unanswered Unrecognised'],
];
const looks: Readonly<Record<string, Look>> = Object.fromEntries(
  groups.flatMap(([look, states]) => states.split(/\s+/).map((state) => [state.toLowerCase(), look])),
);

/** Whether a state has a look of its own. */
export const hasLook = (state: string): boolean => state.toLowerCase() in looks;

/** The look of a state, the same everywhere; an unknown state looks like a question. */
export const lookOf = (state: string): Look => looks[state.toLowerCase()] ?? { tone: 'unknown', sign: 'question' };

/** The addition to the word of a state that shares it with another. */
export const subtitleOf = (state: string): string => (state === 'FailedBeforeJob' ? 'before the build started' : '');

/** The state of a service with a capital letter, for chips. */
export const stateWord = capital;

/** What stands beside a state: that it is retried, with how many passes failed, and that it is paused. */
export function alsoOf(of: {
  readonly retrying: boolean;
  readonly failures: number | null;
  readonly paused: boolean;
}): readonly string[] {
  const count = of.failures !== null && of.failures > 0 ? ` ${of.failures}` : '';
  return [...(of.retrying ? [`retrying${count}`] : []), ...(of.paused ? ['paused'] : [])];
}

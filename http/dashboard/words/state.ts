/** The tone of a state: its colour, and with it an icon, so that colour is never alone. */
export type Tone = 'waiting' | 'active' | 'good' | 'bad' | 'idle' | 'unknown';

export type Sign = 'ring' | 'hourglass' | 'arrow' | 'check' | 'cross' | 'slash' | 'question' | 'pencil' | 'bang';

interface Look {
  readonly tone: Tone;
  readonly sign: Sign;
}

/** The states of all lifecycles by their look; those of a service are in lower case. */
const groups: readonly (readonly [Look, string])[] = [
  [{ tone: 'idle', sign: 'ring' }, '(none) Absent NoBackup NoDomain Pending Recorded Saved Unchecked'],
  [
    { tone: 'idle', sign: 'slash' },
    '(deleted) Asleep Cancelled Closed Deleting deleting Ended Expired Retired Revoked Stopped',
  ],
  [{ tone: 'idle', sign: 'pencil' }, 'Draft draft'],
  [{ tone: 'waiting', sign: 'pencil' }, 'PendingChanges'],
  [
    { tone: 'waiting', sign: 'hourglass' },
    `AtRisk Connecting Counting FinalBackup FirstAttempt NeedsStorage pending PendingDNS PendingHTTPS PendingTunnel
    Provisioning Reconciling RollingOut SecondAttempt Starting ThirdAttempt Waiting WaitingForCI`,
  ],
  [{ tone: 'active', sign: 'arrow' }, 'Active Attached LoginIssued Open Running Ungated'],
  [
    { tone: 'good', sign: 'check' },
    `Approved Available Clean Connected Delivered Deployed Done Issued ProjectReady Protected Ready ready Sleeps
    StaysRunning Succeeded Verified`,
  ],
  [
    { tone: 'bad', sign: 'cross' },
    `CredentialsIncomplete CredentialsInvalid DNSError Error Failed failed FailedBeforeJob Locked ProvisionFailed
    ReconcileError Refused SnapshotMissing TimedOut TunnelConfigError TunnelError TunnelTokenError VerificationTimedOut
    ZoneRequired`,
  ],
  [{ tone: 'unknown', sign: 'question' }, 'Unanswered Unrecognised'],
];
const looks: Readonly<Record<string, Look>> = Object.fromEntries(
  groups.flatMap(([look, states]) => states.split(/\s+/).map((state) => [state, look])),
);

/** Whether a state has a look of its own. */
export const hasLook = (state: string): boolean => state in looks;

/** The look of a state, the same everywhere; an unknown state looks like a question. */
export const lookOf = (state: string): Look => looks[state] ?? { tone: 'unknown', sign: 'question' };

/** The addition to the word of a state that shares it with another. */
export const subtitleOf = (state: string): string => (state === 'FailedBeforeJob' ? 'before the build started' : '');

/** The state of a service with a capital letter, for chips. */
export const stateWord = (state: string): string => `${state.charAt(0).toUpperCase()}${state.slice(1)}`;

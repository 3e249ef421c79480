import type { StoredCause } from '../../../crds/cause.ts';
import type { FoundCause } from '../../../rules/cause/cause.ts';
import { findings } from '../../../rules/cause/findings.ts';
import type { JobSeen } from '../../../rules/cause/jobSeen.ts';
import { type Severity, reasons } from '../../../rules/cause/reasons.ts';
import type { CauseInput } from '../../../rules/cause/rule.ts';
import type { StartingPod } from '../../../rules/pods.ts';
import type { VerdictRule } from '../../../rules/verdict.ts';

export const now = Date.UTC(2026, 6, 1, 12);
const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000).toISOString();

const severityOf = ({ severity, reason }: FoundCause): Severity => severity ?? reasons[reason];

/** A cause in a line: `failure SecretMissing on Secret x: Secret "x" is missing`. */
export const lineOf = (cause: FoundCause): string =>
  `${severityOf(cause)} ${cause.reason} on ${cause.on.kind} ${cause.on.name}: ${cause.message.text}`;

/** What the rows of a Ready table read beside their facts. */
export const input = (kind: string, given: Partial<CauseInput> = {}): Omit<CauseInput, 'message'> => ({
  self: { kind, name: 'it', namespace: 'core-system' },
  copies: () => [],
  causeOf: () => undefined,
  ...given,
});

/** The causes that a Ready table tells over some facts, in lines. */
export const told = <Facts>(
  table: readonly VerdictRule<Facts>[],
  facts: Facts,
  given: Omit<CauseInput, 'message'>,
): readonly string[] => findings(table, facts, given).map(lineOf);

/** A recorded cause of another object: its namespace hangs. */
export const hanging: StoredCause = {
  of: 'Ready',
  reason: 'NamespaceTerminating',
  severity: 'failure',
  message: 'namespace "shop-staging" is being deleted',
  on: { kind: 'Namespace', name: 'shop-staging', namespace: '' },
  since: minutesAgo(3),
};

/** A pod of a Job whose container ended with an exit code, after some minutes. */
export const endedPod = (exitCode: number, message = '', minutes = 1): StartingPod => ({
  metadata: { name: `pod-${minutes}`, creationTimestamp: minutesAgo(minutes + 1) },
  spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'busybox:1' }] },
  status: {
    phase: exitCode === 0 ? 'Succeeded' : 'Failed',
    containerStatuses: [
      {
        name: 'main',
        state: {
          terminated: {
            exitCode,
            reason: exitCode === 0 ? 'Completed' : 'Error',
            message,
            finishedAt: minutesAgo(minutes),
          },
        },
      },
    ],
  },
});

/** A pod whose image cannot be pulled. */
export const unpulledPod: StartingPod = {
  metadata: { name: 'pod-new', creationTimestamp: minutesAgo(0) },
  spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'nowhere.test/x:1' }] },
  status: { containerStatuses: [{ name: 'main', state: { waiting: { reason: 'ImagePullBackOff' } } }] },
};

/** A pod that no node takes, in the words of the scheduler. */
export const unscheduledPod = (message: string): StartingPod => ({
  metadata: { name: 'pod-new', creationTimestamp: minutesAgo(0) },
  status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }] },
});

/** A Job of some pods. */
export const jobOf = (...pods: readonly StartingPod[]): JobSeen => ({
  on: { kind: 'Job', name: 'the-job', namespace: 'shop-live' },
  startedAt: minutesAgo(5),
  pods,
  volumeEvent: () => undefined,
  secrets: () => ['hunter22'],
  now,
});

import type { Deployment } from '../../../../api.ts';
import { capital } from '../../../model/capital.ts';
import { type Attempt, newestErrors } from '../../../model/attempts.ts';

/** One line of the log of a deploy. */
export interface DeployLine {
  readonly at: string;
  readonly text: string;
  readonly isError: boolean;
}

const line = (at: string | null, text: string): readonly DeployLine[] =>
  at === null ? [] : [{ at, text, isError: false }];

const endOf = ({ completedAt, summary, phase }: Attempt): readonly DeployLine[] => line(completedAt, summary || phase);

/** What happened in a deploy, oldest first: its record, and what its attempt met. */
export const deployLogOf = (deployment: Deployment, attempt: Attempt | null): readonly DeployLine[] => [
  ...line(
    deployment.startedAt ?? deployment.createdAt,
    `${capital(deployment.changeTitle || deployment.trigger || 'deployed')}, by ${deployment.actor || 'somebody'}`,
  ),
  ...(attempt === null
    ? []
    : [
        ...line(attempt.startedAt, 'Provisioning began'),
        ...newestErrors(attempt.errors)
          .toReversed()
          .map(({ recordedAt, message }) => ({ at: recordedAt, text: message, isError: true })),
        ...endOf(attempt),
      ]),
];

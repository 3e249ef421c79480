import {
  type Afterwards,
  afterwardsText,
  type Attempt,
  type AttemptError,
  countedErrors,
  maxAttempts,
  newestErrors,
} from '../model/attempts.ts';
import { plural } from '../model/plural.ts';
import { clockTime } from '../model/time.ts';
import { Card } from './card.tsx';
import { Empty } from './empty.tsx';
import { LongText } from './longText.tsx';
import { StateChip } from './stateChip.tsx';
import { At, Since, Spent } from './times.tsx';

/** The newest attempts to provision an object; the newest is open, and equal errors are one line. */
export const Attempts = ({ attempts }: { readonly attempts: readonly Attempt[] }) => (
  <Card title="Attempts" actions={<span class="muted small">newest first, the last {maxAttempts}</span>}>
    {attempts.length === 0 && <Empty title="No attempt yet" text="The first deploy starts one." />}
    {attempts.slice(0, maxAttempts).map((attempt, index) => (
      <One key={attempt.id} attempt={attempt} isNewest={index === 0} />
    ))}
  </Card>
);

function One({ attempt, isNewest }: { readonly attempt: Attempt; readonly isNewest: boolean }) {
  const errors = newestErrors(attempt.errors);
  const { afterwards, phase } = attempt;
  return (
    <details class="attempt" open={isNewest}>
      <summary>
        <StateChip state={afterwards === null ? phase : 'Failed'} shown={afterwards === null ? phase : 'Failing'} />
        <span>{summaryOf(attempt)}</span>
        {errors.length > 0 && <span class="muted small">{plural(errors.length, 'error')}</span>}
        <span class="muted small row-end">
          <Lasted attempt={attempt} />
        </span>
      </summary>
      <Errors errors={errors} afterwards={afterwards} />
    </details>
  );
}

/** What followed a success, or what the attempt says of itself beyond its phase. */
function summaryOf({ phase, summary, afterwards }: Attempt): string {
  if (afterwards !== null) return afterwardsText(afterwards);
  return summary === phase ? '' : summary;
}

function Lasted({ attempt: { startedAt, completedAt } }: { readonly attempt: Attempt }) {
  if (startedAt === null) return null;
  return (
    <>
      <At at={startedAt}>{clockTime(Date.parse(startedAt))}</At>
      {' · '}
      {completedAt === null ? <Since at={startedAt} /> : <Spent from={startedAt} to={completedAt} />}
    </>
  );
}

interface ErrorsProps {
  readonly errors: readonly AttemptError[];
  readonly afterwards: Afterwards | null;
}

const Errors = ({ errors, afterwards }: ErrorsProps) =>
  errors.length === 0 ? (
    <p class="card-body muted">{afterwards === null ? 'No error.' : <LastSeen {...afterwards} />}</p>
  ) : (
    <ul class="card-body stack-tight">
      {countedErrors(errors).map(({ message, count, last }) => (
        <li key={message}>
          <LongText text={message} /> {count > 1 && <span class="flag">{count} times</span>}{' '}
          <span class="muted small">
            <At at={last}>{clockTime(Date.parse(last))}</At>
          </span>
        </li>
      ))}
    </ul>
  );

const LastSeen = ({ reason, at }: Afterwards) => (
  <>
    {reason}
    {at !== '' && (
      <>
        , last at <At at={at}>{clockTime(Date.parse(at))}</At>
      </>
    )}
  </>
);

import { type Attempt, countedErrors } from '../words/attempts.ts';
import { clockTime, dayTime, span } from '../words/time.ts';
import { StateChip } from './stateChip.tsx';
import { Since } from './times.tsx';

/** The newest attempts to provision an object; the newest is open, and equal errors are one line. */
export const Attempts = ({ attempts }: { readonly attempts: readonly Attempt[] }) => (
  <section class="card" aria-label="Attempts">
    <div class="card-head">
      <h2>Attempts</h2>
      <span class="muted small">newest first, the last 8</span>
    </div>
    {attempts.length === 0 && <p class="empty muted">No attempt yet: the first deploy starts one.</p>}
    {attempts.map((attempt, index) => (
      <details key={attempt.id} class="attempt" open={index === 0 && attempt.errors.length > 0}>
        <summary>
          <StateChip state={attempt.phase} shown={attempt.phase} />
          <span>{attempt.summary === attempt.phase ? '' : attempt.summary}</span>
          <span class="muted small row-end">
            {attempt.startedAt !== null && (
              <time dateTime={attempt.startedAt} title={dayTime(Date.parse(attempt.startedAt))}>
                {clockTime(Date.parse(attempt.startedAt))}
              </time>
            )}
            {' · '}
            <Lasted attempt={attempt} />
          </span>
        </summary>
        {attempt.errors.length === 0 ? (
          <p class="card-body muted">No error.</p>
        ) : (
          <ul class="card-body stack-tight">
            {countedErrors(attempt.errors).map(({ message, count, last }) => (
              <li key={message}>
                {message}
                {count > 1 && <span class="flag">{count} times</span>}{' '}
                <span class="muted small">{clockTime(Date.parse(last))}</span>
              </li>
            ))}
          </ul>
        )}
      </details>
    ))}
  </section>
);

function Lasted({ attempt: { startedAt, completedAt } }: { readonly attempt: Attempt }) {
  if (startedAt === null) return null;
  return completedAt === null ? <Since at={startedAt} /> : <>{span(Date.parse(completedAt) - Date.parse(startedAt))}</>;
}

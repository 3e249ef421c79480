import type { Cause } from '../../../api.ts';
import { type CauseOwner, logPageOf } from '../../model/causePages.ts';

interface CauseLineProps {
  readonly cause: Cause;
  readonly owner: CauseOwner;
  /** Whether it is in a row that is one stop for the keyboard. */
  readonly inRow?: boolean;
}

/** The line of the log that tells most of a cause, as a link to that log; nothing for those who may not read logs. */
export function CauseLine({ cause, owner, inRow = false }: CauseLineProps) {
  if (cause.logLine === '') return null;
  const log = logPageOf(cause, owner);
  const line = <code>{cause.logLine}</code>;
  if (log === null) return <span class="cause-line">{line}</span>;
  return (
    <a class="cause-line" href={log} title={cause.logLine} tabIndex={inRow ? -1 : undefined}>
      {line}
    </a>
  );
}

import type { Cause } from '../../../api.ts';
import { afterCause } from '../../model/cause.ts';
import type { CauseOwner } from '../../model/causePages.ts';
import { CauseLine } from './causeLine.tsx';

interface CauseCellProps {
  readonly owner: CauseOwner;
  readonly cause: Cause | null;
  /** The message of the documents. */
  readonly message: string;
}

/** Why a row is in its state: the cause, under it the line of its log, or else the message; that alone without a cause. */
export function CauseCell({ owner, cause, message }: CauseCellProps) {
  if (cause === null) return <span title={message}>{message}</span>;
  const under = afterCause(cause, message);
  return (
    <span class="cause-cell" title={[cause.message, under].filter((text) => text !== '').join('\n')}>
      <span>{cause.message}</span>
      {cause.logLine === '' ? (
        under !== '' && <span class="muted">{under}</span>
      ) : (
        <CauseLine cause={cause} owner={owner} inRow />
      )}
    </span>
  );
}

import type { Cause } from '../../../api.ts';
import { capital } from '../../model/capital.ts';
import { type CauseOwner, kindWord, namedBy, pageOf } from '../../model/causePages.ts';
import { clockTime } from '../../model/time.ts';
import { isAdmin } from '../../store/session.ts';
import { LongText } from '../longText.tsx';
import { At } from '../times.tsx';
import { CauseLine } from './causeLine.tsx';

interface CauseHeadProps {
  readonly cause: Cause;
  readonly owner: CauseOwner;
  /** Whether it is the first thing that is said. */
  readonly isWorst: boolean;
}

/** Why an object is red or waits: the cause, the line of its log, and the objects that it names, with their pages. */
export const CauseHead = ({ cause, owner, isWorst }: CauseHeadProps) => (
  <div class="cause-head">
    <p class={isWorst ? 'explain-says' : 'banner-message'} role="status">
      <LongText text={capital(cause.message)} />
    </p>
    <CauseLine cause={cause} owner={owner} />
    <About cause={cause} owner={owner} />
  </div>
);

function About({ cause, owner }: Omit<CauseHeadProps, 'isWorst'>) {
  const named = namedBy(cause, owner);
  const { count, lastAt } = cause;
  if (named.length === 0 && count === null) return null;
  return (
    <p class="muted small cause-about">
      {named.map((one) => (
        <ObjectLink key={`${one.kind} ${one.name}`} {...one} />
      ))}
      {countText(cause) !== '' && <span>{countText(cause)}</span>}
      {count !== null && lastAt !== '' && (
        <span>
          last at <At at={lastAt}>{clockTime(Date.parse(lastAt))}</At>
        </span>
      )}
    </p>
  );
}

/** How often it happened, where the message does not say so. */
const countText = ({ count, message }: Cause): string =>
  count === null || count < 2 || message.includes(String(count)) ? '' : `${count} times`;

/** An object that a cause names, as a link where it has a page. */
function ObjectLink({ kind, name }: { readonly kind: string; readonly name: string }) {
  const page = pageOf({ kind, name }, isAdmin());
  return (
    <span>
      {kindWord(kind)} {page === null ? name : <a href={page}>{name}</a>}
    </span>
  );
}

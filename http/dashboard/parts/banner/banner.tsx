import { useEffect } from 'preact/hooks';
import type { Explanation, Note } from '../../../api.ts';
import { Countdown } from '../times.tsx';
import { Why } from './why.tsx';
import { now } from '../../store/clock.ts';
import { plural } from '../../words/plural.ts';
import { lookOf } from '../../words/state.ts';
import { Words } from '../words.tsx';

interface ExplainCardProps {
  readonly explanation: Explanation;
  /** Called when the announced next check is due and the explanation has to be reloaded. */
  readonly onDue: () => void;
}

const readAgainMs = 5000;

/** Why an instance is in its state, in words, and when its next check is. */
export function ExplainCard({ explanation, onDue }: ExplainCardProps) {
  const { state, text, nextLook } = explanation;
  const lateMs = typeof nextLook === 'string' ? now.value - Date.parse(nextLook) : -1;
  const due = Math.floor((lateMs - 1000) / readAgainMs);
  useEffect(() => {
    if (due >= 0) onDue();
  }, [due]);
  return (
    <section class="card" aria-label="Why it stands where it stands" data-tone={lookOf(state).tone}>
      <div class="explain" style={{ borderRadius: '8px 0 0 0' }}>
        <p class="explain-says">
          <Words text={sentence(text)} />
        </p>
        <p class="explain-next">
          <Next explanation={explanation} />
          {explanation.notes.map((note) => (
            <Noted key={note.name} note={note} />
          ))}
        </p>
      </div>
      <Why explanation={explanation} />
    </section>
  );
}

const Noted = ({ note: { text, until } }: { readonly note: Note }) => (
  <>
    {' '}
    {text}
    {until !== null && (
      <>
        {' '}
        <b>
          <Countdown at={until} />
        </b>
      </>
    )}
    .
  </>
);

const sentence = (text: string) => (text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}`);

function Next({ explanation }: { readonly explanation: Explanation }) {
  const { state, paused, failure, nextLook, decision, restsUntil } = explanation;
  const look = typeof nextLook === 'string' && <Countdown at={nextLook} />;
  if (paused) return <>Paused: no automatic step until its annotation core.platform/paused is removed.</>;
  if (failure)
    return (
      <>
        The attempt failed {plural(failure.count, 'time')}: {failure.text}.{' '}
        {look && (
          <>
            Next try <b>{look}</b>.
          </>
        )}
      </>
    );
  if (nextLook === null && decision.is === 'rests') return <>No automatic next step, as far as this standby sees.</>;
  if (nextLook === null)
    return <>This replica is a standby. Only the leader knows the next check and whether it fails.</>;
  if (decision.is === 'unknown')
    return (
      <>
        The fact <code>{decision.fact}</code> could not be read: {decision.why}. {look && <>Next check {look}.</>}
      </>
    );
  if (look)
    return (
      <>
        Next check <b>{look}</b>
        {decision.is === 'asks' && (
          <>
            {' '}
            and asks for <code>{decision.fact}</code>
          </>
        )}
        .
      </>
    );
  if (state === '(deleted)') return <>It has come to its end, and goes once nothing else holds the object.</>;
  if (restsUntil === null) return <>No automatic next step.</>;
  return (
    <>
      It rests until: <Words text={restsUntil} />.
    </>
  );
}

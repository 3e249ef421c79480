import { useEffect } from 'preact/hooks';
import type { Explanation, Note, Tried } from '../../../api.ts';
import { Sign } from '../../parts/sign.tsx';
import { Countdown, Since } from '../../parts/times.tsx';
import { addressOf } from '../../routes.ts';
import { now } from '../../store/clock.ts';
import { plural } from '../../words/plural.ts';
import { lookOf } from '../../words/state.ts';
import { Words } from '../../parts/words.tsx';

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
      <details class="why">
        <summary>
          Why? {plural(explanation.tried.length, 'rule')} for this state, over{' '}
          {plural(Object.keys(explanation.facts).length, 'fact')}
        </summary>
        <div class="why-body">
          <div>
            <h3>Rules, in their order</h3>
            <ul class="why-list">
              {explanation.tried.map((tried) => (
                <TriedRule key={tried.rule} tried={tried} machine={explanation.machine} />
              ))}
            </ul>
          </div>
          <Facts explanation={explanation} />
        </div>
      </details>
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

const heldWords = {
  yes: ['held-yes', 'check', 'holds'],
  no: ['held-no', 'cross', 'does not hold'],
  'not reached': ['held-not', 'ring', 'not reached'],
} as const;

function TriedRule({ tried, machine }: { readonly tried: Tried; readonly machine: string }) {
  const [look, sign, words] = heldWords[tried.held];
  return (
    <li class={look}>
      <Sign name={sign} />
      <div>
        <code>{tried.rule}</code> <span class="small muted">{words}</span>
        {tried.row !== undefined && (
          <>
            {' '}
            <a class="small" href={`${addressOf.machine(machine)}#${tried.row}`}>
              {tried.row}
            </a>
          </>
        )}
        {tried.says !== '' && <div class="small">{tried.says}</div>}
      </div>
    </li>
  );
}

const Facts = ({ explanation }: { readonly explanation: Explanation }) => {
  const unasked = explanation.observedAt === null ? 'only the leader asks for it' : 'not asked for yet';
  return (
    <div>
      <h3>
        Facts
        {explanation.observedAt === null && <span class="muted small"> as this standby sees them</span>}
        {typeof explanation.observedAt === 'string' && (
          <span class="muted small">
            {' '}
            observed <Since at={explanation.observedAt} /> ago
          </span>
        )}
      </h3>
      <dl class="facts">
        {Object.entries(explanation.facts).map(([name, fact]) => (
          <>
            <dt key={name} class="mono">
              {name}
            </dt>
            <dd key={`${name}-value`}>
              {fact.is === 'known' ? (
                <code>{JSON.stringify(fact.value)}</code>
              ) : (
                <span class="muted">{fact.is === 'unasked' ? unasked : `unknown: ${fact.why ?? ''}`}</span>
              )}
            </dd>
          </>
        ))}
      </dl>
    </div>
  );
};

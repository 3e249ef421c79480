import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { DeviceDecision, DeviceReview, StreamEvent } from '../../../api.ts';
import { pathTo, write } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Note } from '../../components/note.tsx';
import { Refused } from '../../components/refused.tsx';
import { now } from '../../store/clock.ts';
import { addressOf } from '../../routes.ts';
import { useLoaded } from '../../store/loaded.ts';
import { CodeForm } from './codeForm.tsx';
import { DecideForm } from './decideForm.tsx';
import { outcomes, unknownCode } from './outcomes.ts';
import { RequestFacts } from './requestFacts.tsx';
import { type Decision, stateAt } from './request.ts';

/** A sign-in is not an object of the cluster and has no events, so every tick reloads it. */
const isTick = (event: StreamEvent): boolean => event.event === 'tick';

/** One pending sign-in: who requests it, what access they get, and its outcome. */
export function Review({ code }: { readonly code: string }) {
  const loaded = useLoaded(pathTo('GET /auth/device/{code}', { code: code }), isTick);
  const decided = useSignal<DeviceDecision['state'] | null>(null);
  const { value, reload } = loaded;

  const decide = ({ is, body }: Decision) => write(`POST /auth/device/${is}`, {}, body);
  /** Kept here: once somebody else has decided, there is no form that shows it. */
  const refused = useSignal('');
  const onRefused = (why: string) => {
    refused.value = why;
    reload();
  };
  const onDecided = ({ state }: DeviceDecision) => {
    decided.value = state;
    reload();
  };

  const shown = (request: DeviceReview) => (
    <Known
      request={request}
      decided={decided.value}
      refused={refused.value}
      form={<DecideForm request={request} decide={decide} onDecided={onDecided} onRefused={onRefused} />}
    />
  );
  return (
    <Loaded
      of={loaded}
      height={320}
      gone={() =>
        value !== null && decided.value !== null ? shown(value) : <CodeForm code={code} isWrong why={unknownCode} />
      }
    >
      {shown}
    </Loaded>
  );
}

interface KnownProps {
  readonly request: DeviceReview;
  /** What was decided here. */
  readonly decided: DeviceDecision['state'] | null;
  /** Why a decision was refused. */
  readonly refused: string;
  readonly form: ComponentChildren;
}

function Known({ request, decided, refused, form }: KnownProps) {
  // The decision made here counts until the server is read again, which may already know of the hand-over.
  const known = request.state === 'pending' ? { ...request, state: decided ?? request.state } : request;
  const state = stateAt(known, now.value);
  return (
    <Card
      title={state === 'pending' ? 'Sign-in request' : 'Past sign-in request'}
      label="The sign-in"
      actions={
        <a class="row-end small" href={addressOf.device()}>
          Enter another code
        </a>
      }
    >
      <div class="card-body form">
        <RequestFacts request={request} state={state} />
        {state === 'pending' ? (
          form
        ) : (
          <>
            <Refused text={refused} />
            <Outcome state={state} takesFocus={decided !== null} />
          </>
        )}
      </div>
    </Card>
  );
}

interface OutcomeProps {
  readonly state: keyof typeof outcomes;
  /** Whether it replaces the buttons that were just pressed, and so takes the focus. */
  readonly takesFocus: boolean;
}

function Outcome({ state, takesFocus }: OutcomeProps) {
  const { tone, title, text } = outcomes[state];
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) place.current?.focus();
  }, []);
  return (
    <div ref={place} tabIndex={-1} class="outcome">
      <Note tone={tone}>
        <b>{title}</b>
        <div>{text}</div>
      </Note>
    </div>
  );
}

import { useSignal } from '@preact/signals';
import type { Done } from '../../api.ts';
import { useOffers } from '../store/offered.ts';
import { actionWord } from '../model/actionLabel.ts';
import { Confirm } from './confirm.tsx';
import { Note } from './note.tsx';
import { send, type WriteRequest } from '../api.ts';

/** The action of a button. */
export interface Action {
  readonly label: string;
  readonly request: WriteRequest<Done>;
  /** Why it is not possible now. */
  readonly refused?: string | undefined;
  /** What is lost by it; if there is anything, a dialog asks first. */
  readonly warning?: string | undefined;
  readonly bad?: boolean;
  readonly small?: boolean;
}

interface ActionsProps {
  /** The name of the object that they are about. */
  readonly of: string;
  readonly actions: readonly Action[];
  readonly onDone: () => void;
}

const shownMs = 8000;

/** Buttons that call the server and show progress, the result, or why the action is not possible. */
export function Actions({ of, actions, onDone }: ActionsProps) {
  const busy = useSignal<string | null>(null);
  const asking = useSignal<Action | null>(null);
  const result = useSignal<{ readonly tone: 'good' | 'bad' | 'waiting'; readonly text: string } | null>(null);

  const run = async (asked: Action) => {
    busy.value = asked.label;
    result.value = null;
    const answer = await send(asked.request);
    busy.value = null;
    const mine =
      answer.is === 'ok'
        ? ({
            tone: 'good',
            text: answer.value.note ?? `${asked.label}: now ${answer.value.state}`,
          } as const)
        : ({ tone: 'bad', text: answer.error } as const);
    result.value = mine;
    if (mine.tone === 'good') setTimeout(() => result.peek() === mine && (result.value = null), shownMs);
    onDone();
  };
  const press = (asked: Action) => {
    if (busy.value !== null) return;
    if (asked.refused !== undefined) return;
    if (asked.warning === undefined) void run(asked);
    else asking.value = asked;
  };
  useOffers(
    of,
    actions
      .filter(({ refused }) => refused === undefined)
      .map((asked) => ({ label: asked.label, run: () => press(asked) })),
  );
  const confirm = (asked: Action) => {
    asking.value = null;
    void run(asked);
  };

  return (
    <div class="stack-tight">
      <div class="row" role="group" aria-label={`Actions on ${of}`}>
        {actions.map((asked) => (
          <button
            key={asked.label}
            type="button"
            class={`button${asked.bad ? ' button-bad' : ''}${asked.small ? ' button-small' : ''}`}
            aria-disabled={asked.refused !== undefined || busy.value !== null}
            aria-busy={busy.value === asked.label}
            aria-description={asked.refused}
            onClick={() => press(asked)}
          >
            {busy.value === asked.label ? `${asked.label} …` : asked.label}
          </button>
        ))}
      </div>
      <Refused actions={actions} />
      {result.value && <Note tone={result.value.tone}>{result.value.text}</Note>}
      {asking.value && (
        <Confirm
          title={`${actionWord(asking.value.label, of)}?`}
          text={asking.value.warning ?? ''}
          yes={asking.value.label}
          onYes={() => asking.value && confirm(asking.value)}
          onNo={() => (asking.value = null)}
        />
      )}
    </div>
  );
}

/** Why actions are not possible now, each reason once. */
const Refused = ({ actions }: Pick<ActionsProps, 'actions'>) => {
  const reasons = [...new Set(actions.flatMap(({ refused }) => refused ?? []))];
  return (
    <>
      {reasons.map((reason) => (
        <p key={reason} class="muted small refused">
          {actions
            .filter(({ refused }) => refused === reason)
            .map(({ label }) => label)
            .join(', ')}
          : {reason}
        </p>
      ))}
    </>
  );
};

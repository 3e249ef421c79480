import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ConsoleSessionItem } from '../../../../api.ts';
import { Card } from '../../../components/card.tsx';
import { connect } from '../../../console/consoles.ts';
import type { Console } from '../../../console/terminal.ts';
import { Note } from '../../../components/note.tsx';
import { StateChip } from '../../../components/stateChip.tsx';
import { Countdown } from '../../../components/times.tsx';
import { endsAt } from './model.ts';

interface TerminalCardProps {
  readonly terminal: Console;
  readonly sessions: readonly ConsoleSessionItem[];
}

const shown = {
  connecting: ['Starting', 'Connecting'],
  open: ['Ready', 'Connected'],
  ended: ['Closed', 'Ended'],
  refused: ['Failed', 'Refused'],
} as const;

/** The terminal of a service: where it is, how long it may last, and why it ended. */
export function TerminalCard({ terminal, sessions }: TerminalCardProps) {
  const state = terminal.state.value;
  const leave = useRef<HTMLButtonElement>(null);
  const [chip, word] = shown[state.is];
  const session = state.is === 'open' ? sessions.find((one) => one.session === state.session) : undefined;
  const until = session && endsAt(session);
  return (
    <Card label="Terminal">
      <div class="card-head">
        <StateChip state={chip} shown={word} />
        <span class="mono small">
          {state.target.pod} / {state.target.container}
        </span>
        {until && (
          <span class="muted small">
            ends <Countdown at={until} />
          </span>
        )}
        <div class="row row-end">
          <Find terminal={terminal} />
          <ScreenReader terminal={terminal} />
          {(state.is === 'open' || state.is === 'connecting') && (
            <button ref={leave} class="button button-small" type="button" onClick={terminal.end}>
              Disconnect
            </button>
          )}
          {(state.is === 'ended' || state.is === 'refused') && (
            <button class="button button-small" type="button" onClick={() => connect(state.target)}>
              Connect
            </button>
          )}
        </div>
      </div>
      {state.is === 'refused' && <Note tone="bad">{state.error}</Note>}
      {state.is === 'ended' && <Note tone="idle">{state.why} Connect opens a new session.</Note>}
      {terminal.note.value !== '' && <Note tone="waiting">{terminal.note.value}</Note>}
      {state.is !== 'refused' && (
        <Screen key={state.target.pod} terminal={terminal} onLeave={() => leave.current?.focus()} />
      )}
      <p class="card-body small muted">Ctrl+Shift+Esc leaves the terminal by keyboard.</p>
    </Card>
  );
}

function Screen({ terminal, onLeave }: { readonly terminal: Console; readonly onLeave: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => (box.current ? terminal.showIn(box.current, onLeave) : undefined), [terminal]);
  return <div ref={box} class="terminal-box" />;
}

function Find({ terminal }: { readonly terminal: Console }) {
  const text = useSignal('');
  return (
    <input
      class="input"
      type="search"
      aria-label="Search the terminal"
      placeholder="Search"
      value={text.value}
      onInput={(event) => (text.value = event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && terminal.search.findPrevious(text.value)}
    />
  );
}

function ScreenReader({ terminal }: { readonly terminal: Console }) {
  const on = useSignal(terminal.term.options.screenReaderMode === true);
  const set = (checked: boolean) => {
    on.value = checked;
    terminal.term.options.screenReaderMode = checked;
  };
  return (
    <label class="check small">
      <input type="checkbox" checked={on.value} onChange={(event) => set(event.currentTarget.checked)} />
      Screen reader
    </label>
  );
}

import { useSignal } from '@preact/signals';
import type { Question } from '../model/restart.ts';
import { Confirm } from './confirm.tsx';

/** Asks before something is done, where there is something to ask. */
export function useQuestion() {
  const open = useSignal<{ readonly question: Question; readonly go: () => void } | null>(null);
  const close = () => (open.value = null);
  return {
    ask: (question: Question | null, go: () => void) => {
      if (question === null) go();
      else open.value = { question, go };
    },
    dialog: open.value && (
      <Confirm
        {...open.value.question}
        onYes={() => {
          open.value?.go();
          close();
        }}
        onNo={close}
      />
    ),
  };
}

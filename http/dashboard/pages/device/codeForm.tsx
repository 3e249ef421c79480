import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Note } from '../../parts/note.tsx';
import { go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { fieldsOf } from '../../words/fields.ts';
import { codeOf } from './request.ts';

interface CodeFormProps {
  readonly code: string;
  /** Whether the address holds something that is no code. */
  readonly isWrong: boolean;
}

/** The code that the client shows; entering it leads to its sign-in. */
export function CodeForm({ code, isWrong }: CodeFormProps) {
  const wrong = useSignal(isWrong);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (code === '' || isWrong) input.current?.focus();
  }, []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const entered = codeOf(fieldsOf(event.currentTarget)('code'));
    wrong.value = entered === null;
    if (entered !== null) go(addressOf.device(entered));
    else input.current?.focus();
  };
  return (
    <form class="form" onSubmit={submit}>
      <div class="code-line">
        <label class="field">
          Code
          <input
            ref={input}
            class="input code-input mono"
            name="code"
            defaultValue={code}
            required
            maxLength={20}
            placeholder="XXXX-XXXX"
            autocomplete="off"
            autocapitalize="characters"
            spellcheck={false}
            aria-invalid={wrong.value}
          />
        </label>
        <button type="submit" class="button">
          Find
        </button>
      </div>
      {wrong.value && <Note tone="bad">A code has eight letters, such as BCDF-GHJK.</Note>}
    </form>
  );
}

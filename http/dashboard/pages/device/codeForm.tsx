import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Refused } from '../../components/refused.tsx';
import { go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { fieldsOf } from '../../model/formData.ts';
import { codeOf } from './request.ts';

interface CodeFormProps {
  readonly code: string;
  /** Whether the code was tried and is malformed or unknown. */
  readonly isWrong: boolean;
  /** Why the code did not work, when it was well-formed. */
  readonly why?: string;
}

const noCode = 'A code has eight letters, such as BCDF-GHJK.';

/** The form for the code that the client shows; it leads to the sign-in request. */
export function CodeForm({ code, isWrong, why = noCode }: CodeFormProps) {
  const said = useSignal(isWrong ? why : '');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (code === '' || isWrong) input.current?.focus();
  }, []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const entered = codeOf(fieldsOf(event.currentTarget)('code'));
    if (entered === null) said.value = noCode;
    if (entered !== null && entered !== code) go(addressOf.device(entered));
    else input.current?.focus();
  };
  return (
    <form class="card card-body form" aria-label="Find a sign-in" onSubmit={submit}>
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
            aria-invalid={said.value !== ''}
          />
        </label>
        <button type="submit" class="button">
          Find
        </button>
      </div>
      <Refused text={said.value} />
    </form>
  );
}

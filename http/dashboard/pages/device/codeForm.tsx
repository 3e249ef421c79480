import { useEffect, useRef } from 'preact/hooks';
import { Card } from '../../components/card.tsx';
import { Form } from '../../components/form/form.tsx';
import { submitButton } from '../../components/form/formButtons.tsx';
import { noRefusal } from '../../components/form/refusal.ts';
import { go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { codeOf } from './request.ts';
import { codeProblem } from './text.ts';

interface CodeFormProps {
  readonly code: string;
  /** Whether the code was tried and is malformed or unknown. */
  readonly isWrong: boolean;
  /** Why the code did not work, when it was well-formed. */
  readonly why?: string;
}

const noCode = codeProblem;

/** The form for the code that the client shows; it leads to the sign-in request. */
export function CodeForm({ code, isWrong, why = noCode }: CodeFormProps) {
  const left = isWrong ? { field: '', text: why } : noRefusal;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (code === '' || isWrong) input.current?.focus();
  }, []);
  const open = (entered: string | null) => {
    if (entered !== null && entered !== code) go(addressOf.device(entered));
    else input.current?.focus();
  };
  return (
    <Card isPadded>
      <Form
        label="Find a sign-in"
        left={left}
        problem={(read) => (codeOf(read('code')) === null ? noCode : null)}
        send={(read) => Promise.resolve({ is: 'ok', value: codeOf(read('code')) })}
        onDone={open}
        onRefused={() => input.current?.focus()}
        buttons={submitButton('Find', 'Finding', { look: 'plain' })}
      >
        {({ buttons, isRefused }) => (
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
                aria-invalid={isRefused}
              />
            </label>
            {buttons}
          </div>
        )}
      </Form>
    </Card>
  );
}

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { signIn } from '../store/session.ts';
import { fieldsOf } from '../model/formData.ts';
import { Refused } from './refused.tsx';

/** Asks for name and password; `name` is the user whose session has ended. */
export function SignInForm({ name }: { readonly name?: string }) {
  const busy = useSignal(false);
  const refused = useSignal('');
  const first = useRef<HTMLInputElement>(null);
  const secret = useRef<HTMLInputElement>(null);
  useEffect(() => (name === undefined ? first : secret).current?.focus(), []);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement) || busy.value) return;
    const field = fieldsOf(event.currentTarget);
    busy.value = true;
    refused.value = '';
    const answer = await signIn(field('username'), field('password'));
    busy.value = false;
    if (answer.is === 'ok') return;
    refused.value = answer.error;
    secret.current?.focus();
    secret.current?.select();
  };
  return (
    <form class="sign-in" onSubmit={(event) => void submit(event)}>
      <label class="field">
        User name
        <input
          class="input"
          name="username"
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          required
          defaultValue={name}
          ref={first}
        />
      </label>
      <label class="field">
        Password
        <input class="input" name="password" type="password" autocomplete="current-password" required ref={secret} />
      </label>
      <Refused text={refused.value} />
      <button class="button button-main" type="submit" aria-busy={busy.value}>
        {busy.value ? 'Signing in …' : 'Sign in'}
      </button>
    </form>
  );
}

import { useEffect, useRef } from 'preact/hooks';
import { signIn } from '../store/session.ts';
import { Form } from './form/form.tsx';
import { submitButton } from './form/formButtons.tsx';

/** Asks for name and password; `name` is the user whose session has ended. */
export function SignInForm({ name }: { readonly name?: string }) {
  const first = useRef<HTMLInputElement>(null);
  const secret = useRef<HTMLInputElement>(null);
  useEffect(() => (name === undefined ? first : secret).current?.focus(), []);
  return (
    <Form
      look="sign-in"
      send={(read) => signIn(read('username'), read('password'))}
      onDone={() => {}}
      onRefused={() => {
        secret.current?.focus();
        secret.current?.select();
      }}
      buttons={submitButton('Sign in', 'Signing in')}
      end="alone"
    >
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
    </Form>
  );
}

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Brand } from '../parts/frame.tsx';
import { Note } from '../parts/note.tsx';
import { address, route } from '../router.ts';
import type { Route } from '../routes.ts';
import { signIn } from '../store/session.ts';
import { fieldsOf } from '../words/fields.ts';

/** The sign-in form. The address stays, so that signing in opens the requested page. */
export function SignInPage({ ended }: { readonly ended: boolean }) {
  const busy = useSignal(false);
  const refused = useSignal('');
  const first = useRef<HTMLInputElement>(null);
  const secret = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = 'Sign in · Core';
    first.current?.focus();
  }, []);
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
  const page = route.value;
  const path = page.is === 'signIn' ? page.to : address.value.path;
  return (
    <main class="gate">
      <div class="card">
        <div class="brand">
          <Brand />
          Core
        </div>
        <h1 style={{ marginTop: '20px' }}>Sign in</h1>
        <p class="muted small" style={{ marginTop: '4px' }}>
          {ended ? 'The session has ended. ' : ''}
          {path === '/' ? 'The first password of admin was printed when the server started.' : onTo(page, path)}
        </p>
        <form onSubmit={(event) => void submit(event)}>
          <label class="field">
            User name
            <input
              class="input"
              name="username"
              autocomplete="username"
              autocapitalize="none"
              spellcheck={false}
              required
              ref={first}
            />
          </label>
          <label class="field">
            Password
            <input
              class="input"
              name="password"
              type="password"
              autocomplete="current-password"
              required
              ref={secret}
            />
          </label>
          {refused.value !== '' && <Note tone="bad">{refused.value}</Note>}
          <button class="button button-main" type="submit" aria-busy={busy.value}>
            {busy.value ? 'Signing in …' : 'Sign in'}
          </button>
        </form>
      </div>
    </main>
  );
}

const onTo = (page: Route, path: string): string =>
  page.is === 'device' ? 'Then on to the sign-in that waits for approval.' : `Then on to ${path}.`;

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Brand } from '../parts/frame.tsx';
import { Note } from '../parts/note.tsx';
import { address } from '../router.ts';
import { signIn } from '../store/session.ts';

/** Asks who is there. The address stays, so that signing in leads where one wanted to go. */
export function SignInPage({ ended }: { readonly ended: boolean }) {
  const busy = useSignal(false);
  const refused = useSignal('');
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = 'Sign in · Core';
    first.current?.focus();
  }, []);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement) || busy.value) return;
    const form = new FormData(event.currentTarget);
    const field = (name: string) => {
      const value = form.get(name);
      return typeof value === 'string' ? value : '';
    };
    busy.value = true;
    refused.value = '';
    const answer = await signIn(field('username'), field('password'));
    busy.value = false;
    if (answer.is !== 'ok') refused.value = answer.error;
  };
  const { path } = address.value;
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
          {path === '/' ? 'The first password of admin was printed when the server started.' : `Then on to ${path}.`}
        </p>
        <form onSubmit={(event) => void submit(event)}>
          <label class="field">
            User name
            <input class="input" name="username" autocomplete="username" required ref={first} />
          </label>
          <label class="field">
            Password
            <input class="input" name="password" type="password" autocomplete="current-password" required />
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

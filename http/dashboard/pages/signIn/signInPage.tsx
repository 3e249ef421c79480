import { useEffect } from 'preact/hooks';
import { Brand } from '../../components/brand.tsx';
import { Card } from '../../components/card.tsx';
import { SignInForm } from '../../components/signInForm.tsx';
import { address, route } from '../../router.ts';
import type { Route } from '../../routes.ts';
import { firstPassword, continuesToDevice } from './text.ts';

/** The sign-in form. The address stays, so that signing in opens the requested page. */
export function SignInPage() {
  useEffect(() => {
    document.title = 'Sign in · Core';
  }, []);
  const page = route.value;
  const path = page.is === 'signIn' ? page.to : address.value.path;
  return (
    <main class="gate">
      <Card>
        <div class="brand">
          <Brand />
          Core
        </div>
        <h1 style={{ marginTop: '20px' }}>Sign in</h1>
        <p class="muted small" style={{ marginTop: '4px' }}>
          {path === '/' ? firstPassword : onTo(page, path)}
        </p>
        <SignInForm />
      </Card>
    </main>
  );
}

const onTo = (page: Route, path: string): string => (page.is === 'device' ? continuesToDevice : `Then on to ${path}.`);

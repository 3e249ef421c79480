import { useEffect } from 'preact/hooks';
import { Brand } from '../../components/brand.tsx';
import { Card } from '../../components/card.tsx';
import { Note } from '../../components/note.tsx';
import { readSession } from '../../store/session.ts';

const retryAfterMs = 3000;

/** Shown while the server does not report who is signed in; retries by itself. */
export function UnreachablePage({ error }: { readonly error: string }) {
  useEffect(() => {
    const timer = setInterval(() => void readSession(), retryAfterMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <main class="gate">
      <Card>
        <div class="stack-tight">
          <div class="brand">
            <Brand />
            Core
          </div>
          <h1>Can't reach the server</h1>
          <Note tone="waiting">{error}. Retrying every 3 seconds.</Note>
        </div>
      </Card>
    </main>
  );
}

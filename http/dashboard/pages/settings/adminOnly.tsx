import { Frame } from '../../parts/frame.tsx';
import { Note } from '../../parts/note.tsx';
import { identity } from '../../store/session.ts';
import { accessOf } from '../../words/access.ts';

interface AdminOnlyProps {
  readonly title: string;
  /** What an admin would do here. */
  readonly what: string;
}

/** Stands in for a page that only a signed-in admin uses. */
export function AdminOnly({ title, what }: AdminOnlyProps) {
  const who = identity();
  return (
    <Frame title={title}>
      <div class="stack narrow">
        <h1>{title}</h1>
        <Note tone="waiting">
          An admin has to {what}. {who && `${who.username} is signed in with the access “${accessOf(who)}”.`}
        </Note>
      </div>
    </Frame>
  );
}

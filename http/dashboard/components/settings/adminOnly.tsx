import { Frame } from '../frame.tsx';
import { Note } from '../note.tsx';
import { identity } from '../../store/session.ts';
import { accessOf } from '../../model/access.ts';

interface AdminOnlyProps {
  readonly title: string;
  /** The action of the page, to follow `can`. */
  readonly what: string;
}

/** Replaces a page that only a signed-in admin may use. */
export function AdminOnly({ title, what }: AdminOnlyProps) {
  const who = identity();
  return (
    <Frame title={title}>
      <div class="stack narrow">
        <h1>{title}</h1>
        <Note tone="waiting">
          Only admins can {what}. {who && `You are signed in as ${who.username} (${accessOf(who)}).`}
        </Note>
      </div>
    </Frame>
  );
}

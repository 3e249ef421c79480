import { Failed } from './note.tsx';

interface ListEndProps {
  readonly failed: Parameters<typeof Failed>[0]['failed'];
  readonly onRetry: () => void;
}

/** Stands below the rows of a list of which more follow: they come as somebody scrolls, or why they do not. */
export const ListEnd = ({ failed, onRetry }: ListEndProps) => (
  <div class="grid-end muted small">
    {failed ? <Failed failed={failed} readAt={null} retry={onRetry} /> : 'Reading more …'}
  </div>
);

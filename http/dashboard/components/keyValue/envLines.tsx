import type { EnvRead } from '../../../../rules/variables/env.ts';
import { plural } from '../../model/plural.ts';
import { Note } from '../note.tsx';

const maxShown = 8;

/** What of a pasted or edited text is not taken, and what is taken as other readers would not. */
export const EnvLines = ({ problems, notes }: Pick<EnvRead, 'problems' | 'notes'>) => (
  <>
    {problems.length > 0 && (
      <Note tone="bad">
        {plural(problems.length, 'problem')}, not taken:
        <Lines lines={problems} />
      </Note>
    )}
    {notes.length > 0 && (
      <Note tone="idle">
        <Lines lines={notes} />
      </Note>
    )}
  </>
);

const Lines = ({ lines }: { readonly lines: readonly string[] }) => (
  <ul class="bullets">
    {lines.slice(0, maxShown).map((line) => (
      <li key={line}>{line}</li>
    ))}
    {lines.length > maxShown && <li>and {lines.length - maxShown} more</li>}
  </ul>
);

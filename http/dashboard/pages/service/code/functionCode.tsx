import type { Read } from '../../../../api.ts';
import { Hidden } from '../../../parts/value.tsx';
import { mayAct, mayReadSensitive } from '../../../store/session.ts';
import { CallFunction } from './callFunction.tsx';
import { CodeForm } from './codeForm.tsx';
import { Triggers } from './triggers.tsx';

interface FunctionCodeProps {
  readonly read: Read;
  readonly onSaved: () => void;
}

/** A function: its code, what calls it, and a call of it. */
export function FunctionCode({ read, onSaved }: FunctionCodeProps) {
  if (read.resource.details['source'] !== 'function')
    return <p class="empty muted">Only a function has code here; other services run an image or a repository.</p>;
  return (
    <>
      {mayReadSensitive() ? (
        <CodeForm read={read} onSaved={onSaved} />
      ) : (
        <section class="card card-body" aria-label="Code">
          <Hidden />
        </section>
      )}
      <Triggers read={read} onSaved={onSaved} />
      {mayAct() && <CallFunction read={read} />}
    </>
  );
}

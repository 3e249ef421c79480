import { useEffect, useRef } from 'preact/hooks';
import { Command, CopyButton } from './copy.tsx';
import { Dialog } from './dialog.tsx';
import { Note } from './note.tsx';

interface SecretOnceProps {
  readonly title: string;
  /** What it is: `Token`. */
  readonly what: string;
  readonly secret: string;
  /** What it may do and for how long. */
  readonly facts: string;
  /** A line that uses it, for a terminal; the secret itself stays out of the history of the shell. */
  readonly use: string;
  readonly onClose: () => void;
}

/** A secret that is stored nowhere: only its button closes it, because closing loses it. */
export function SecretOnce({ title, what, secret, facts, use, onClose }: SecretOnceProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  return (
    <Dialog title={title} onClose={onClose} stays>
      <div class="form">
        <p class="muted">{facts}</p>
        <label class="field">
          {what}
          <span class="secret">
            <input
              ref={field}
              class="input mono"
              readOnly
              value={secret}
              autocomplete="off"
              spellcheck={false}
              onFocus={(event) => event.currentTarget.select()}
            />
          </span>
        </label>
        <div class="row">
          <CopyButton text={secret} what={`the ${what.toLowerCase()}`} main />
        </div>
        <Command what={`a line that uses the ${what.toLowerCase()}`} text={use} />
        <Note tone="waiting" sign="bang">
          Shown only once. Copy it now and store it like a password: whoever holds it has its access.
        </Note>
        <div class="dialog-end">
          <button type="button" class="button" onClick={onClose}>
            I have copied it
          </button>
        </div>
      </div>
    </Dialog>
  );
}

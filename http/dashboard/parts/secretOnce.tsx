import type { NewApiToken } from '../../api.ts';
import { useEffect, useRef } from 'preact/hooks';
import { CopyButton } from './copy.tsx';
import { Note } from './note.tsx';
import { dayOrNever, tokenAccess } from '../pages/settings/token.ts';

interface TokenSecretProps {
  readonly token: NewApiToken;
  readonly onClose: () => void;
}

/** A new token with its secret, which is stored nowhere: closing the dialog loses it. */
export function TokenSecret({ token, onClose }: TokenSecretProps) {
  const secret = useRef<HTMLInputElement>(null);
  useEffect(() => {
    secret.current?.focus();
    secret.current?.select();
  }, []);
  return (
    <div class="form">
      <p class="muted">
        Access: {tokenAccess(token)}. Expires: {dayOrNever(token.expiresAt)}.
      </p>
      <label class="field">
        Token
        <span class="secret">
          <input
            ref={secret}
            class="input mono"
            readOnly
            value={token.token}
            autocomplete="off"
            spellcheck={false}
            onFocus={(event) => event.currentTarget.select()}
          />
        </span>
      </label>
      <div class="row">
        <CopyButton text={token.token} what="the token" main />
      </div>
      <Note tone="waiting" sign="bang">
        It is shown this once. Copy it now and keep it like a password: whoever holds it has its access.
      </Note>
      <div class="dialog-end">
        <button type="button" class="button" onClick={onClose}>
          I have copied it
        </button>
      </div>
    </div>
  );
}

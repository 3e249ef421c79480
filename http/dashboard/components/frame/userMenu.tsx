import { useSignal } from '@preact/signals';
import type { Identity } from '../../../api.ts';
import { keysShown } from './keys.ts';
import { signOut } from '../../store/session.ts';
import { type Theme, theme, themes } from '../../store/theme.ts';
import { type Zone, zone, zones } from '../../store/zone.ts';
import { accessMeans, accessOf } from '../../model/access.ts';
import { dayTime } from '../../model/time.ts';
import { Choice } from '../choice.tsx';
import { Dialog } from '../dialog.tsx';
import { Refused } from '../refused.tsx';
import { Countdown } from '../times.tsx';

const zoneWords: Readonly<Record<Zone, string>> = { local: 'Local', utc: 'UTC' };
const themeWords: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

/** The signed-in user, their access and its end; sign-out. */
export function UserMenu({ user }: { readonly user: Identity }) {
  const isOpen = useSignal(false);
  return (
    <>
      <button
        type="button"
        class="button button-small user-button"
        aria-haspopup="dialog"
        title={user.expiresAt === undefined ? '' : `Signed in until ${dayTime(Date.parse(user.expiresAt))}`}
        onClick={() => (isOpen.value = true)}
      >
        <span class="user-name">{user.username}</span>
        <span class="muted">{accessOf(user)}</span>
      </button>
      {isOpen.value && <User user={user} onClose={() => (isOpen.value = false)} />}
    </>
  );
}

function User({ user, onClose }: { readonly user: Identity; readonly onClose: () => void }) {
  const busy = useSignal(false);
  const failed = useSignal('');
  const leave = async () => {
    if (busy.value) return;
    busy.value = true;
    failed.value = (await signOut()) ?? '';
    busy.value = false;
  };
  return (
    <Dialog title={user.username} onClose={onClose}>
      <dl class="facts facts-plain">
        <dt>Access</dt>
        <dd>
          <b>{accessOf(user)}</b>
          <div class="muted">{accessMeans[user.role]}</div>
        </dd>
        {user.expiresAt !== undefined && (
          <>
            <dt>Session ends</dt>
            <dd>
              <Countdown at={user.expiresAt} />
              <div class="muted">{dayTime(Date.parse(user.expiresAt))}, twelve hours after signing in</div>
            </dd>
          </>
        )}
      </dl>
      <p class="small muted">Signing out ends every session of {user.username}, in every browser. Tokens stay valid.</p>
      <fieldset class="choices choices-row">
        <legend>Theme</legend>
        {themes.map((one) => (
          <Choice
            key={one}
            name="theme"
            value={one}
            label={themeWords[one]}
            chosen={one === theme.value}
            onChoose={() => (theme.value = one)}
          />
        ))}
      </fieldset>
      <fieldset class="choices choices-row">
        <legend>Times</legend>
        {zones.map((one) => (
          <Choice
            key={one}
            name="zone"
            value={one}
            label={zoneWords[one]}
            chosen={one === zone.value}
            onChoose={() => (zone.value = one)}
          />
        ))}
      </fieldset>
      <Refused text={failed.value} />
      <div class="dialog-end">
        <button type="button" class="button" autofocus onClick={onClose}>
          Close
        </button>
        <button
          type="button"
          class="button"
          onClick={() => {
            onClose();
            keysShown.value = true;
          }}
        >
          Keyboard shortcuts
        </button>
        <button type="button" class="button button-main" aria-busy={busy.value} onClick={() => void leave()}>
          {busy.value ? 'Signing out …' : 'Sign out everywhere'}
        </button>
      </div>
    </Dialog>
  );
}

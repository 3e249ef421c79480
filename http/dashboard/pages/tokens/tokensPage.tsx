import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { ApiToken, StreamEvent } from '../../../api.ts';
import { pathTo, write } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Frame } from '../../components/frame.tsx';
import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Note } from '../../components/note.tsx';
import { addressOf } from '../../routes.ts';
import { useLoaded } from '../../store/loaded.ts';
import { CreateToken } from './createToken.tsx';
import { tokenAccess } from './token.ts';
import { SettingsTabs } from '../../components/settings/settingsTabs.tsx';
import { TokenTable } from './tokenTable.tsx';

/** Tokens have no events of their own, so every tick reloads them. */
const isTick = (event: StreamEvent): boolean => event.event === 'tick';

type Outcome = { readonly tone: 'good' | 'bad'; readonly text: string } | null;

/** Settings, Tokens: the sign-in of scripts, command lines and agents (AUT-026, AUT-028). */
export function TokensPage() {
  const loaded = useLoaded(pathTo('GET /tokens', {}), isTick);
  const { reload } = loaded;
  const isCreating = useSignal(false);
  const revoking = useSignal<ApiToken | null>(null);
  const outcome = useSignal<Outcome>(null);
  const create = useRef<HTMLButtonElement>(null);

  const revoke = async (token: ApiToken) => {
    revoking.value = null;
    const answer = await write('DELETE /tokens/{token}', { token: token.id });
    outcome.value =
      answer.is === 'ok'
        ? { tone: 'good', text: `${token.name} is revoked: it is refused from now on.` }
        : { tone: 'bad', text: answer.error };
    // The button that had the focus is removed with its row.
    if (answer.is === 'ok') create.current?.focus();
    reload();
  };

  return (
    <Frame title="Tokens">
      <div class="stack">
        <div class="page-head">
          <div>
            <h1>Tokens</h1>
            <p class="muted">
              What scripts, command lines and agents sign in with. A command line that shows a code is approved on{' '}
              <a href={addressOf.device()}>Approve a sign-in</a>.
            </p>
          </div>
          <button
            ref={create}
            type="button"
            class="button button-main"
            aria-haspopup="dialog"
            onClick={() => {
              outcome.value = null;
              isCreating.value = true;
            }}
          >
            Create a token
          </button>
        </div>
        <SettingsTabs current="tokens" />
        {outcome.value && <Note tone={outcome.value.tone}>{outcome.value.text}</Note>}
        <Loaded of={loaded} height={240} empty={<NoTokens />}>
          {({ items }) => <TokenTable tokens={items} onRevoke={(token) => (revoking.value = token)} />}
        </Loaded>
      </div>
      {isCreating.value && <CreateToken onMade={reload} onClose={() => (isCreating.value = false)} />}
      {revoking.value && (
        <Confirm
          title={`Revoke ${revoking.value.name}?`}
          text={lostWith(revoking.value)}
          yes="Revoke"
          bad
          onYes={() => revoking.value && void revoke(revoking.value)}
          onNo={() => (revoking.value = null)}
        />
      )}
    </Frame>
  );
}

const lostWith = (token: ApiToken): string =>
  `Requests with it (${tokenAccess(token)}) are refused at once. A revoked token cannot be restored; create a new one.`;

const NoTokens = () => (
  <Card label="Tokens">
    <Empty
      title="No token yet"
      text="A token lets a script or a command line use the API with an access of its own. It is sent in the header `Authorization: Bearer`, may expire, and can be revoked at any time."
    />
  </Card>
);

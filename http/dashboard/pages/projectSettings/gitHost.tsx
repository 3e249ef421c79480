import { useSignal } from '@preact/signals';
import type { GitInstallation } from '../../../api.ts';
import { pathTo, write } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Note } from '../../components/note.tsx';
import { Refused } from '../../components/refused.tsx';
import { Hidden } from '../../components/value.tsx';
import { addressOf } from '../../routes.ts';
import { useLoaded } from '../../store/loaded.ts';
import { mayAct, mayReadSensitive } from '../../store/session.ts';
import { isLinked } from './model.ts';
import type { SettingsViewProps } from './view.ts';
import { connectedToGit, notConnectedToGit, disconnectGitWarning } from './text.ts';

const never = () => false;

/** The link of a project to the Git host, by which its services are built from repositories. */
export function GitHost({ read, onSaved }: SettingsViewProps) {
  const platform = useLoaded(pathTo('GET /platform', {}), never).value;
  const linked = isLinked(read);
  return (
    <Card title="Git host" look="narrow" actions={<span class="muted small">{platform?.gitHost}</span>}>
      <div class="card-body form">
        {!mayReadSensitive() && <Hidden />}
        {mayReadSensitive() && <p>{linked ? connectedToGit : notConnectedToGit}</p>}
        {mayAct() && !linked && <Connect project={read.resource.name} onSaved={onSaved} />}
        {mayAct() && linked && <Disconnect project={read.resource.name} onSaved={onSaved} />}
      </div>
    </Card>
  );
}

interface LinkProps {
  readonly project: string;
  readonly onSaved: () => void;
}

function Connect({ project, onSaved }: LinkProps) {
  const loaded = useLoaded(pathTo('GET /git/installations', {}), never);
  return (
    <Loaded of={loaded} height={80} empty={<NoInstallation />}>
      {({ items }) => <ConnectTo installations={items} project={project} onSaved={onSaved} />}
    </Loaded>
  );
}

const NoInstallation = () => (
  <Note tone="waiting">
    The Git host application is not installed anywhere yet. Make it in{' '}
    <a href={addressOf.platform('connectors')}>Connectors</a>, then install it at the Git host.
  </Note>
);

interface ConnectToProps extends LinkProps {
  readonly installations: readonly GitInstallation[];
}

function ConnectTo({ installations, project, onSaved }: ConnectToProps) {
  const chosen = useSignal('');
  const busy = useSignal(false);
  const refused = useSignal('');
  const id = Number(chosen.value || installations[0]?.id);
  const connect = async () => {
    if (busy.value) return;
    busy.value = true;
    const answer = await write('POST /projects/{project}/git/connect', { project }, { installationID: id });
    busy.value = false;
    refused.value = answer.is === 'ok' ? '' : answer.error;
    onSaved();
  };
  return (
    <>
      <label class="field">
        Account
        <select class="select" onChange={(event) => (chosen.value = event.currentTarget.value)}>
          {installations.map((one) => (
            <option key={one.id} value={one.id}>
              {one.account}
            </option>
          ))}
        </select>
      </label>
      <Refused text={refused.value} />
      <div class="dialog-end">
        <button type="button" class="button button-main" aria-busy={busy.value} onClick={() => void connect()}>
          {busy.value ? 'Connecting …' : 'Connect to Git host'}
        </button>
      </div>
    </>
  );
}

function Disconnect({ project, onSaved }: LinkProps) {
  const isAsking = useSignal(false);
  const refused = useSignal('');
  const disconnect = async () => {
    isAsking.value = false;
    const answer = await write('POST /projects/{project}/git/disconnect', { project });
    refused.value = answer.is === 'ok' ? '' : answer.error;
    onSaved();
  };
  return (
    <>
      <Refused text={refused.value} />
      <div class="dialog-end">
        <button type="button" class="button" aria-haspopup="dialog" onClick={() => (isAsking.value = true)}>
          Disconnect
        </button>
      </div>
      {isAsking.value && (
        <Confirm
          title="Disconnect from the Git host?"
          text={disconnectGitWarning}
          yes="Disconnect"
          bad
          onYes={() => void disconnect()}
          onNo={() => (isAsking.value = false)}
        />
      )}
    </>
  );
}

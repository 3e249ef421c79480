import { useSignal } from '@preact/signals';
import type { Read } from '../../api.ts';
import { readPath, withQuery } from '../api.ts';
import { programName } from '../model/command.ts';
import { ofObject } from '../kindPages/service/concerns.ts';
import { type Reloading, useLoaded } from '../store/loaded.ts';
import { type ConnectionShape, databaseShape } from '../model/connection.ts';
import { isDraft } from '../model/gate.ts';
import { Card } from './card.tsx';
import { Command } from './copy.tsx';
import { Copied } from './copied.tsx';
import { Empty } from './empty.tsx';
import { Fact } from './fact.tsx';
import { Loaded } from './loaded.tsx';
import { Refused } from './refused.tsx';
import type { TypedPath, Connection } from '../model/routeAnswers.ts';

interface ConnectionCardProps {
  readonly read: Read;
  /** Where the connection is. */
  readonly path: TypedPath<Connection>;
  readonly shape?: ConnectionShape;
}

/** What a connection holds, by the names of the API. */
type Known = Readonly<Record<string, string | undefined>>;

/** How programs reach a resource. Its secret is asked for on a press alone, is logged, and goes with the page. */
export function ConnectionCard({ read: { resource, status }, path, shape = databaseShape }: ConnectionCardProps) {
  const { kind, name } = resource;
  const loaded = useLoaded(path, ofObject(kind, name));
  const isAbsent = isConflict(loaded.failed);
  const secret = shape.secretOf(name, status);
  return (
    <Card title="Connection" actions={<span class="muted small">for programs in the cluster</span>}>
      {isAbsent ? (
        <Empty
          title="No connection yet"
          text={`A connection exists once the ${shape.label} is ${isDraft(resource) ? 'deployed and ready' : 'ready'}.`}
        />
      ) : (
        <Loaded of={loaded} height={220}>
          {(connection) => <KnownConnection connection={connection} path={path} secret={secret} shape={shape} />}
        </Loaded>
      )}
      {kind === 'CoreDatabase' && !isAbsent && (
        <div class="card-body">
          <Command what="the command that shows the same" text={`${programName} databases connection ${name}`} />
        </div>
      )}
    </Card>
  );
}

/** Whether there is no connection, because of the state of the resource. */
const isConflict = (failed: Reloading<Known>['failed']): boolean => failed?.is === 'refused' && failed.status === 409;

interface KnownProps {
  readonly connection: Known;
  readonly path: TypedPath<Connection>;
  readonly secret: string;
  readonly shape: ConnectionShape;
}

function KnownConnection({ connection, path, secret, shape }: KnownProps) {
  const revealed = useSignal<Known | null>(null);
  const busy = useSignal(false);
  const failed = useSignal('');
  const reveal = async () => {
    if (busy.value) return;
    busy.value = true;
    const answer = await readPath(withQuery(path, { reveal: 'true' }));
    busy.value = false;
    failed.value = answer.is === 'ok' ? '' : answer.error;
    revealed.value = answer.is === 'ok' ? answer.value : null;
  };
  const shown = revealed.value;
  return (
    <>
      <dl class="facts facts-panel">
        {shape.plain.map(([key, label]) => (
          <Fact key={key} name={label}>
            <KnownText text={connection[key] ?? ''} what={`the ${label.toLowerCase()}`} />
          </Fact>
        ))}
        {shape.covered.map(([key, label, what]) => (
          <Fact key={key} name={label}>
            {shown ? <KnownText text={shown[key] ?? ''} what={what} /> : <Covered />}
          </Fact>
        ))}
        {secret !== '' && (
          <Fact name="Secret">
            <code>{secret}</code>
          </Fact>
        )}
      </dl>
      <div class="card-body stack-tight">
        <div class="row">
          {shown ? (
            <button type="button" class="button" onClick={() => (revealed.value = null)}>
              Hide {shape.secretWord}
            </button>
          ) : (
            <button type="button" class="button" aria-busy={busy.value} onClick={() => void reveal()}>
              {busy.value ? 'Revealing …' : `Reveal ${shape.secretWord}`}
            </button>
          )}
          <span class="muted small">Each reveal is logged with your name.</span>
        </div>
        <Refused text={failed.value} />
      </div>
    </>
  );
}

interface KnownTextProps {
  readonly text: string;
  readonly what: string;
}

const KnownText = ({ text, what }: KnownTextProps) => (text === '' ? <None /> : <Copied text={text} what={what} />);

/** Some engines have no login. */
const None = () => <span class="muted">none</span>;
const Covered = () => <span class="muted">not shown</span>;

import { useSignal } from '@preact/signals';
import type { Connection, Read } from '../../api.ts';
import { read as readPath } from '../api.ts';
import { programName } from '../words/command.ts';
import { ofObject } from '../kinds/service/concerns.ts';
import { useLoaded } from '../store/loaded.ts';
import { textIn } from '../words/details.ts';
import { Command, CopyButton } from './copy.tsx';
import { Empty } from './empty.tsx';
import { Fact } from './fact.tsx';
import { Failed, Note, Skeleton } from './note.tsx';

interface ConnectionCardProps {
  readonly read: Read;
  /** Where the connection is. */
  readonly path: string;
}

/** How programs reach a database. Its password is asked for on a press alone, is logged, and goes with the page. */
export function ConnectionCard({ read: { resource, status }, path }: ConnectionCardProps) {
  const { kind, name } = resource;
  const { value, failed, readAt, reload } = useLoaded<Connection>(path, ofObject(kind, name));
  const isAbsent = failed?.is === 'refused' && failed.status === 409;
  const secret = textIn(status['connectionSecret']);
  return (
    <section class="card" aria-label="Connection">
      <div class="card-head">
        <h2>Connection</h2>
        <span class="muted small">for programs in the cluster</span>
      </div>
      {isAbsent && (
        <Empty title="No connection yet" text="It is there once the database was ready for the first time." />
      )}
      {!isAbsent && <Failed failed={failed} readAt={readAt} retry={reload} />}
      {value === null && failed === null && <Skeleton height={220} />}
      {value && !isAbsent && <Known connection={value} path={path} secret={secret} />}
      {kind === 'CoreDatabase' && !isAbsent && (
        <div class="card-body">
          <Command what="the command that shows the same" text={`${programName} databases connection ${name}`} />
        </div>
      )}
    </section>
  );
}

interface KnownProps {
  readonly connection: Connection;
  readonly path: string;
  readonly secret: string;
}

function Known({ connection, path, secret }: KnownProps) {
  const revealed = useSignal<Connection | null>(null);
  const busy = useSignal(false);
  const failed = useSignal('');
  const reveal = async () => {
    if (busy.value) return;
    busy.value = true;
    const answer = await readPath<Connection>(`${path}?reveal=true`);
    busy.value = false;
    failed.value = answer.is === 'ok' ? '' : answer.error;
    revealed.value = answer.is === 'ok' ? answer.value : null;
  };
  const { host, port, database, username } = connection;
  const shown = revealed.value;
  return (
    <>
      <dl class="facts facts-panel">
        <Told name="Host" text={host} />
        <Told name="Port" text={port} />
        <Told name="Database" text={database} />
        <Told name="User name" text={username} />
        <Fact name="Password">{shown ? <Copied text={shown.password ?? ''} what="the password" /> : <Covered />}</Fact>
        <Fact name="URI">{shown ? <Copied text={shown.uri ?? ''} what="the URI" /> : <Covered />}</Fact>
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
              Hide password
            </button>
          ) : (
            <button type="button" class="button" aria-busy={busy.value} onClick={() => void reveal()}>
              {busy.value ? 'Revealing …' : 'Reveal password'}
            </button>
          )}
          <span class="muted small">Each reveal is logged with your name.</span>
        </div>
        {failed.value !== '' && <Note tone="bad">{failed.value}</Note>}
      </div>
    </>
  );
}

const Told = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <Fact name={name}>{text === '' ? <None /> : <Copied text={text} what={`the ${name.toLowerCase()}`} />}</Fact>
);

const Copied = ({ text, what }: { readonly text: string; readonly what: string }) =>
  text === '' ? (
    <None />
  ) : (
    <span class="copyable">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );

/** Some engines have no login. */
const None = () => <span class="muted">none</span>;
const Covered = () => <span class="muted">not shown</span>;

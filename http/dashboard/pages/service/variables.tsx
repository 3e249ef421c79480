import type { Items, Read, Variable } from '../../../api.ts';
import { api } from '../../api.ts';
import { Columns } from '../../parts/columns.tsx';
import { Failed, Skeleton } from '../../parts/note.tsx';
import { Hidden } from '../../parts/value.tsx';
import { ofService } from '../../kinds/service/concerns.ts';
import { useLoaded } from '../../store/loaded.ts';
import { mayReadSensitive } from '../../store/session.ts';
import { changesOfRows } from '../../words/variables.ts';
import { VariableEditor } from '../../parts/keyValue/keyValueEditor.tsx';

interface VariablesProps {
  readonly read: Read;
  readonly onSaved: () => void;
}

/** The variables of a service: its own, to edit, and those that come from elsewhere, with where from. */
export function Variables({ read, onSaved }: VariablesProps) {
  const { name } = read.resource;
  const isShown = mayReadSensitive();
  const { value, failed, readAt, reload } = useLoaded<Items<Variable>>(
    isShown ? api.ofApp(name, 'variables') : null,
    ofService(name),
  );
  if (!isShown)
    return (
      <section class="card card-body" aria-label="Variables">
        <Hidden />
      </section>
    );
  return (
    <>
      <Failed failed={failed} readAt={readAt} retry={reload} />
      {value === null && failed === null && <Skeleton height={240} />}
      {value && (
        <VariableEditor
          title="Variables"
          means="handed to the copies by the next deploy"
          variables={value.items}
          requestsOf={(rows) => changesOfRows(name, rows)}
          onSaved={() => {
            reload();
            onSaved();
          }}
        />
      )}
      {value && <Injected variables={value.items.filter(({ injected }) => injected)} />}
    </>
  );
}

const Injected = ({ variables }: { readonly variables: readonly Variable[] }) => (
  <section class="card" aria-label="Injected variables">
    <div class="card-head">
      <h2>Injected</h2>
      <span class="muted small">set elsewhere, not editable here</span>
    </div>
    <div class="scroll-x">
      <table>
        <Columns names={['Name', 'Value', 'From']} />
        <tbody>
          {variables.map(({ name, kind, value, from }) => (
            <tr key={name}>
              <td class="mono">{name}</td>
              <td class="mono wrap">{kind === 'secret' ? <span class="muted">secret</span> : value}</td>
              <td>{from}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </section>
);

import { useSignal } from '@preact/signals';
import type { Change } from '../../../../../http/api.ts';
import { send } from '../../../../../http/dashboard/api.ts';
import { ChangesBar } from '../../../../../http/dashboard/components/changesBar.tsx';
import { DeleteDialog } from '../../../../../http/dashboard/components/deleteDialog.tsx';
import { EditForm } from '../../../../../http/dashboard/components/form/editForm.tsx';
import { TextField } from '../../../../../http/dashboard/components/form/textField.tsx';
import { useEdited } from '../../../../../http/dashboard/components/form/useEdited.ts';
import { KeyValueEditor } from '../../../../../http/dashboard/components/keyValue/keyValueEditor.tsx';
import { SecretOnce } from '../../../../../http/dashboard/components/secretOnce.tsx';
import { counted } from '../../../../../http/dashboard/model/deletion.ts';
import { discardsOf, isDiscardable } from '../../../../../http/dashboard/model/discard.ts';
import type { TypedPath } from '../../../../../http/dashboard/model/routeAnswers.ts';
import { changesOfRows } from '../../../../../http/dashboard/model/variables.ts';
import { ago, variables } from '../fixtures.ts';
import type { Stand } from '../stand.tsx';

const changes: readonly Change[] = [
  { path: 'spec.port', kind: 'settings', deployed: 80, saved: 8080 },
  { path: 'spec.config.GREETING', kind: 'variables', deployed: 'hi', saved: 'hello' },
  { path: 'spec.secretData.KEY', kind: 'variables', deployed: null, saved: null },
];

/** What the server of the gallery is asked. */
const post = (path: string, body = {}) => send({ method: 'POST', path: path as TypedPath<unknown>, body });

const deletions = {
  service: {
    name: 'web',
    goes: [counted('copy', ['web-7f-a', 'web-7f-b'], 'copies'), counted('build', 14), counted('variable', 0)],
    stays: ['images in the registry', 'its history, for 30 days'],
  },
  database: {
    name: 'orders',
    goes: [counted('logical database', ['one', 'two', 'three', 'four', 'five', 'six', 'seven'])],
    stays: ['its backups'],
    dependents: ['web', 'api'],
    lastBackup: ago(3600),
    keptUntil: ago(-7 * 86_400),
    options: [{ name: 'backups', label: 'Delete its backups too' }],
  },
} as const;

function Deleting({ of }: { readonly of: keyof typeof deletions }) {
  const isOpen = useSignal(false);
  const told = deletions[of];
  const chosen = useSignal('');
  return (
    <>
      <button type="button" class="button button-bad" onClick={() => (isOpen.value = true)}>
        Delete {told.name}
      </button>
      <span role="status">{chosen.value}</span>
      {isOpen.value && (
        <DeleteDialog
          {...told}
          act={(options) => post(`/api/delete/${of}`, { options })}
          onDone={() => {
            isOpen.value = false;
            chosen.value = `${told.name} deleted`;
          }}
          onClose={() => (isOpen.value = false)}
        />
      )}
    </>
  );
}

const deletion: Stand = {
  name: 'deletion',
  states: [
    ['a service', () => <Deleting of="service" />],
    ['a database with dependents and backups, refused by the server', () => <Deleting of="database" />],
  ],
};

/** What the server lists, until a deploy or a discard changes it. */
function Waiting({ path }: { readonly path: string }) {
  const listed = useSignal(changes);
  return (
    <ChangesBar
      of="web"
      changes={listed.value}
      isDraft={false}
      deploy={() => post(path)}
      isDiscardable={isDiscardable}
      discardsOf={(plain) => {
        listed.value = changes.slice(2);
        return discardsOf('web', plain);
      }}
      onDone={() => {}}
    />
  );
}

const pending: Stand = {
  name: 'changes',
  states: [
    ['a deploy that starts', () => <Waiting path="/api/deploy" />],
    ['a deploy that is refused', () => <Waiting path="/api/refused" />],
    [
      'a draft',
      () => (
        <ChangesBar
          of="web"
          changes={[]}
          isDraft
          deploy={() => post('/api/deploy')}
          isDiscardable={isDiscardable}
          discardsOf={() => []}
          onDone={() => {}}
        />
      ),
    ],
  ],
};

function Once() {
  const isOpen = useSignal(false);
  return (
    <>
      <button type="button" class="button" onClick={() => (isOpen.value = true)}>
        Create token
      </button>
      {isOpen.value && (
        <SecretOnce
          title="ci is created"
          what="Token"
          secret="gsw_abcdefghij_0123456789"
          facts="Access: read-only. Expires: never."
          use="core login --url http://localhost --token-stdin"
          onClose={() => (isOpen.value = false)}
        />
      )}
    </>
  );
}

const secret: Stand = { name: 'secret', states: [['closed, then open', () => <Once />]] };

/** Variables that another person changes. */
function Editing({ of }: { readonly of: typeof variables }) {
  const given = useSignal(of);
  return (
    <>
      <button
        type="button"
        class="button button-small"
        onClick={() => {
          given.value = given.value.map((one) =>
            one.name === 'GREETING'
              ? { ...one, value: one.value === 'from elsewhere' ? 'and once more' : 'from elsewhere' }
              : one,
          );
        }}
      >
        Change elsewhere
      </button>
      <KeyValueEditor
        title="Variables"
        help="handed to the copies by the next deploy"
        variables={given.value}
        requestsOf={(rows) => changesOfRows('web', rows)}
        onSaved={() => {}}
      />
      <a href="/?part=badge">Leave</a>
    </>
  );
}

const editor: Stand = {
  name: 'editor',
  states: [
    ['filled', () => <Editing of={variables} />],
    [
      'empty',
      () => <KeyValueEditor title="Shared" help="at once" variables={[]} requestsOf={() => []} onSaved={() => {}} />,
    ],
  ],
};

const sizeFields = [
  { name: 'size', label: 'Size' },
  { name: 'cpu', label: 'CPU' },
] as const;

/** A form whose saved values are read again when a button says so; `4` is saved as `4.0`. */
function Settings() {
  const stored = useSignal<Readonly<Record<string, string>>>({ size: '1', cpu: '1' });
  const server = useSignal(stored.value);
  const edited = useEdited(server.value);
  return (
    <>
      <button type="button" class="button" onClick={() => (server.value = stored.value)}>
        Read again
      </button>
      <EditForm
        title="Settings"
        help="at once"
        fields={sizeFields}
        edited={edited}
        save={() => {
          const { size = '', cpu = '' } = edited.values;
          stored.value = { size, cpu: cpu === '4' ? '4.0' : cpu };
          return Promise.resolve({ is: 'ok', value: null });
        }}
        onSaved={() => {}}
      >
        {sizeFields.map((field) => (
          <TextField
            key={field.name}
            label={field.label}
            value={edited.values[field.name] ?? ''}
            onValue={(value) => edited.set(field.name, value)}
          />
        ))}
      </EditForm>
    </>
  );
}

const form: Stand = { name: 'form', states: [['read again later', () => <Settings />]] };

export const changeSamples: readonly Stand[] = [deletion, pending, secret, editor, form];

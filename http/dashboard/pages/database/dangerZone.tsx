import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Read } from '../../../api.ts';
import { Card } from '../../components/card.tsx';
import { useDependents } from '../../kindPages/dependents.ts';
import { InUse } from '../../components/resource/inUse.tsx';
import { DeleteDialog } from '../../components/deleteDialog.tsx';
import { go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { useOffers } from '../../store/offered.ts';
import {
  databaseGoes,
  databaseStays,
  keptAfter,
  lastBackupOf,
  namesBy,
  stopGoes,
  stopStays,
  usersOf,
  beingDeleted,
} from './text.ts';
import { isShared } from '../../model/databaseSettings.ts';
import { endingsWord } from '../../model/gate.ts';
import { write } from '../../api.ts';

interface EndingsProps {
  readonly read: Read;
  readonly onDone: () => void;
}

type Verb = 'Stop' | 'Delete';

const verbsFor = (state: string): readonly Verb[] => {
  if (state === 'deleting') return [];
  return state === 'draft' ? ['Delete'] : ['Stop', 'Delete'];
};

/** Stop and deletion, each once the name is typed; neither while anything is on a shared server. */
export function DangerZone(props: EndingsProps) {
  const { read } = props;
  const dependents = useDependents(read.resource);
  if (!isShared(read)) return <Offered {...props} />;
  if (dependents === null) return null;
  const users = dependents.filter(({ by }) => by === 'server');
  return users.length > 0 ? <InUse offered="stopped or deleted" users={users} /> : <Offered {...props} />;
}

function Offered({ read, onDone }: EndingsProps) {
  const open = useSignal<Verb | null>(null);
  const { name, state } = read.resource;
  const verbs = verbsFor(state);
  useOffers(
    name,
    verbs.map((verb) => ({ label: `${verb} ${name}`, run: () => (open.value = verb) })),
  );
  return (
    <Card label="Stop and delete">
      <div class="changes">
        <p>{state === 'deleting' ? beingDeleted : endingsWord(read.resource)}</p>
        <div class="row">
          {verbs.map((verb) => (
            <button
              key={verb}
              type="button"
              class="button button-bad"
              aria-haspopup="dialog"
              onClick={() => (open.value = verb)}
            >
              {verb} {name}
            </button>
          ))}
        </div>
      </div>
      {open.value !== null && (
        <Ending verb={open.value} read={read} onDone={onDone} onClose={() => (open.value = null)} />
      )}
    </Card>
  );
}

interface EndingProps extends EndingsProps {
  readonly verb: Verb;
  readonly onClose: () => void;
}

function Ending({ verb, read, onDone, onClose }: EndingProps) {
  const { resource } = read;
  const { name } = resource;
  const all = useDependents(resource) ?? [];
  const dependents = { logical: namesBy('server', all), services: namesBy('connection', all) };
  const openedAt = useRef(Date.now());
  const backup = lastBackupOf(resource);
  const losses = {
    ...keptAfter(resource, openedAt.current),
    ...(backup === undefined ? {} : { lastBackup: backup }),
  };
  if (verb === 'Stop')
    return (
      <DeleteDialog
        name={name}
        verb="Stop"
        goes={stopGoes(resource)}
        stays={stopStays(resource)}
        dependents={usersOf(dependents)}
        {...losses}
        act={() => write('POST /databases/{database}/stop', { database: name }, { confirmName: name })}
        onDone={() => {
          onClose();
          onDone();
        }}
        onClose={onClose}
      />
    );
  return (
    <DeleteDialog
      name={name}
      goes={databaseGoes(resource, dependents)}
      stays={databaseStays(resource)}
      dependents={usersOf({ ...dependents, logical: [] })}
      {...losses}
      act={() => write('DELETE /databases/{database}', { database: name }, { confirmName: name })}
      onDone={() => go(isShared(read) ? addressOf.sharedServers() : addressOf.project(resource))}
      onClose={onClose}
    />
  );
}

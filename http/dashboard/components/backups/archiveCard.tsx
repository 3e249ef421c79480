import { useSignal } from '@preact/signals';
import type { Read } from '../../../api.ts';
import { mayAct } from '../../store/session.ts';
import { useOffers } from '../../store/offered.ts';
import { windowOf } from '../../model/backups.ts';
import { dayMinute } from '../../model/time.ts';
import { Card } from '../card.tsx';
import { Table } from '../table/table.tsx';
import { Ago } from '../times.tsx';
import { useDue } from './due.ts';
import { RestoreDialog } from './restoreDialog.tsx';
import { WindowBar } from './windowBar.tsx';
import { noRestorePoint, pointsDue } from './text.ts';

/** What can be restored of an archive, and the button that does. */
export function ArchiveCard({ archive }: { readonly archive: Read }) {
  const isOpen = useSignal(false);
  const window = windowOf(archive);
  const due = useDue(archive.resource);
  const canRestore = window !== null && !due && mayAct();
  const open = () => (isOpen.value = true);
  useOffers(archive.resource.displayName, canRestore ? [{ label: 'Restore', run: open }] : []);
  return (
    <Card
      title="Restore points"
      actions={
        <>
          <span class="muted small">newest first</span>
          {canRestore && (
            <button type="button" class="button button-small row-end" aria-haspopup="dialog" onClick={open}>
              Restore
            </button>
          )}
        </>
      }
    >
      {window === null ? (
        <p class="card-body muted">{noRestorePoint}</p>
      ) : (
        <>
          {due && <p class="card-body muted">{pointsDue}</p>}
          <WindowBar window={window} />
          <Table
            columns={[
              { label: 'Moment', look: 'nowrap', cell: ({ time }) => dayMinute(Date.parse(time)) },
              { label: 'Age', look: 'nowrap muted', isNamed: true, cell: ({ time }) => <Ago at={time} /> },
              { label: 'Restore point', look: 'mono', isNamed: true, cell: ({ id }) => id },
            ]}
            rows={window.points}
            keyOf={({ id }) => id}
            look="stacked"
          />
        </>
      )}
      {isOpen.value && window && (
        <RestoreDialog archive={archive} window={window} onClose={() => (isOpen.value = false)} />
      )}
    </Card>
  );
}

import { useSignal } from '@preact/signals';
import type { Read } from '../../../api.ts';
import { mayAct } from '../../store/session.ts';
import { useOffers } from '../../store/offered.ts';
import { windowOf } from '../../model/backups.ts';
import { dayMinute } from '../../model/time.ts';
import { Card } from '../card.tsx';
import { Columns } from '../columns.tsx';
import { ScrollBox } from '../scrollBox.tsx';
import { Ago } from '../times.tsx';
import { useDue } from './due.ts';
import { RestoreDialog } from './restoreDialog.tsx';
import { WindowBar } from './windowBar.tsx';

/** What can be restored of an archive, and the button that does. */
export function ArchiveCard({ archive }: { readonly archive: Read }) {
  const isOpen = useSignal(false);
  const window = windowOf(archive);
  const due = useDue(archive.resource);
  const canRestore = window !== null && !due && mayAct();
  const open = () => (isOpen.value = true);
  useOffers(archive.resource.displayName, canRestore ? [{ word: 'Restore', run: open }] : []);
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
        <p class="card-body muted">Nothing can be restored yet.</p>
      ) : (
        <>
          {due && <p class="card-body muted">These backups are due to be removed: they cannot be restored any more.</p>}
          <WindowBar window={window} />
          <ScrollBox>
            <table class="stacked">
              <Columns names={['Moment', 'Age', 'Restore point']} />
              <tbody>
                {window.points.map(({ id, time }) => (
                  <tr key={id}>
                    <td class="nowrap">{dayMinute(Date.parse(time))}</td>
                    <td class="nowrap muted" data-name="Age">
                      <Ago at={time} />
                    </td>
                    <td class="mono" data-name="Restore point">
                      {id}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollBox>
        </>
      )}
      {isOpen.value && window && (
        <RestoreDialog archive={archive} window={window} onClose={() => (isOpen.value = false)} />
      )}
    </Card>
  );
}

import { useSignal } from '@preact/signals';
import type { Change, Deployed } from '../../api.ts';
import { act, api } from '../api.ts';
import { Columns } from './columns.tsx';
import { Note } from './note.tsx';
import { useOffers } from '../store/offered.ts';
import { mayAct } from '../store/session.ts';
import { changeName, changesWord, isSecret, valueWord } from '../words/service.ts';
import type { ServiceReading } from '../pages/service/reading.ts';

/** What is saved of a service and waits for a deploy; a draft waits as a whole. It leaves once the deploy is saved. */
export function ChangesBar({ reading }: { readonly reading: ServiceReading }) {
  const { name, app, changes, reload } = reading;
  const busy = useSignal(false);
  const failed = useSignal('');
  const isDraft = app.value?.resource.state === 'draft';
  const items = changes.value?.items ?? [];
  const isShown = isDraft || items.length > 0 || failed.value !== '';
  const word = isDraft ? 'Deploy' : 'Deploy changes';
  const deploy = async () => {
    if (busy.value) return;
    busy.value = true;
    const answer = await act<Deployed>(api.ofApp(name, 'deploy'));
    busy.value = false;
    failed.value = answer.is === 'ok' ? '' : answer.error;
    reload();
  };
  useOffers(isShown && mayAct() ? [{ word, run: () => void deploy() }] : []);
  if (!isShown) return null;
  return (
    <section class="card" aria-label="Changes to deploy" data-tone="waiting">
      <div class="changes">
        <p>
          <b>{isDraft ? 'Saved as a draft: nothing of it runs yet.' : changesWord(items)}</b>
        </p>
        {mayAct() && (
          <button type="button" class="button button-main" aria-busy={busy.value} onClick={() => void deploy()}>
            {busy.value ? 'Deploying …' : word}
          </button>
        )}
      </div>
      {failed.value !== '' && (
        <div class="card-body">
          <Note tone="bad">{failed.value}</Note>
        </div>
      )}
      {items.length > 0 && (
        <details class="why">
          <summary>Review</summary>
          <div class="scroll-x">
            <table>
              <Columns names={['What', 'Runs now', 'After the deploy']} />
              <tbody>
                {items.map((item) => (
                  <ChangeRow key={item.path} item={item} />
                ))}
              </tbody>
            </table>
          </div>
        </details>
      )}
    </section>
  );
}

const ChangeRow = ({ item }: { readonly item: Change }) => (
  <tr>
    <td class="mono">{changeName(item)}</td>
    {isSecret(item) ? (
      <td colSpan={2} class="muted">
        Secret: its value is never shown.
      </td>
    ) : (
      <>
        <td class="mono wrap">{valueWord(item.deployed)}</td>
        <td class="mono wrap">{valueWord(item.saved)}</td>
      </>
    )}
  </tr>
);

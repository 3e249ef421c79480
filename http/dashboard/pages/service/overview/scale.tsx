import { useSignal } from '@preact/signals';
import type { Read, Scaled } from '../../../../api.ts';
import { act, api } from '../../../api.ts';
import { Refused } from '../../../components/refused.tsx';
import { mayAct } from '../../../store/session.ts';

interface ScaleProps {
  readonly read: Read;
  readonly onSaved: () => void;
}

/** Sets the number of copies at once; autoscaling takes that over. */
export function Scale({ read: { resource }, onSaved }: ScaleProps) {
  const { name, state, details } = resource;
  const typed = useSignal<string | null>(null);
  const busy = useSignal(false);
  const failed = useSignal('');
  const current = String(typeof details['replicas'] === 'number' ? details['replicas'] : 1);
  if (!mayAct() || state === 'deleting') return null;
  if (details['autoscaling'] !== null && details['autoscaling'] !== undefined)
    return <span class="muted small row-end">Their number follows the load.</span>;
  const scale = async (event: Event) => {
    event.preventDefault();
    if (busy.value || typed.value === null) return;
    busy.value = true;
    const answer = await act<Scaled>(api.ofApp(name, 'scale'), { replicas: Number(typed.value) });
    busy.value = false;
    failed.value = answer.is === 'ok' ? '' : answer.error;
    if (answer.is !== 'ok') return;
    typed.value = null;
    onSaved();
  };
  return (
    <>
      <form class="row row-end" onSubmit={(event) => void scale(event)}>
        <input
          class="input scale-input"
          type="number"
          min={0}
          max={1000}
          required
          aria-label="Number of copies"
          value={typed.value ?? current}
          onInput={(event) => (typed.value = event.currentTarget.value)}
        />
        <button
          type="submit"
          class="button button-small"
          disabled={typed.value === null || typed.value === current}
          aria-busy={busy.value}
        >
          Scale
        </button>
      </form>
      <Refused text={failed.value} />
    </>
  );
}

import { useSignal } from '@preact/signals';
import type { Read } from '../../../../api.ts';
import { Form } from '../../../components/form/form.tsx';
import { submitButton } from '../../../components/form/formButtons.tsx';
import { mayAct } from '../../../store/session.ts';
import { write } from '../../../api.ts';

interface ScaleProps {
  readonly read: Read;
  readonly onSaved: () => void;
}

/** Sets the number of copies at once; autoscaling takes that over. */
export function Scale({ read: { resource }, onSaved }: ScaleProps) {
  const { name, state, details } = resource;
  const typed = useSignal<string | null>(null);
  const current = String(typeof details['replicas'] === 'number' ? details['replicas'] : 1);
  if (!mayAct() || state === 'deleting') return null;
  if (details['autoscaling'] !== null && details['autoscaling'] !== undefined)
    return <span class="muted small row-end">Their number follows the load.</span>;
  return (
    <Form
      look="row row-end"
      send={() => write('POST /apps/{app}/scale', { app: name }, { replicas: Number(typed.value) })}
      onDone={() => {
        typed.value = null;
        onSaved();
      }}
      buttons={submitButton('Scale', 'Scaling', {
        look: 'small',
        isDisabled: typed.value === null || typed.value === current,
      })}
      end="alone"
      isRefusalBelow
    >
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
    </Form>
  );
}

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useOffers } from '../../store/offered.ts';
import { Card } from '../card.tsx';

interface DeletionProps {
  readonly name: string;
  /** The dialog that deletes it. */
  readonly dialog: (close: () => void) => ComponentChildren;
}

/** The card that a resource is deleted from. */
export function Deletion({ name, dialog }: DeletionProps) {
  const isOpen = useSignal(false);
  const open = () => (isOpen.value = true);
  useOffers(name, [{ label: `Delete ${name}`, run: open }]);
  return (
    <Card label="Delete">
      <div class="changes">
        <p>The dialog lists what is deleted and what stays.</p>
        <button type="button" class="button button-bad" aria-haspopup="dialog" onClick={open}>
          Delete {name}
        </button>
      </div>
      {isOpen.value && dialog(() => (isOpen.value = false))}
    </Card>
  );
}

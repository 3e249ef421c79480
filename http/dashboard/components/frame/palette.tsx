import { useSignal } from '@preact/signals';
import { paletteShown } from './keys.ts';
import { visit } from '../../router.ts';
import { identity } from '../../store/session.ts';
import type { Entry } from '../../model/palette.ts';
import { Dialog } from '../dialog.tsx';
import { lazyPart } from '../lazy.tsx';
import { optionId, type Search } from './search.ts';

const usualHeight = 320;
const PaletteList = lazyPart(async () => (await import('./paletteList.tsx')).PaletteList, usualHeight);

/** Finds objects, pages and actions by their names. It takes every key at once, also while its list is loaded. */
export function Palette() {
  const search: Search = {
    text: useSignal(''),
    active: useSignal(0),
    count: useSignal<number | null>(null),
    isEntered: useSignal(false),
  };
  const { text, active, count, isEntered } = search;
  const at = Math.min(active.value, (count.value ?? 0) - 1);
  const close = () => (paletteShown.value = false);
  const choose = (entry: Entry) => {
    close();
    // The dialog gives the focus back first, so that what opens next can take it.
    setTimeout(() => (entry.to === undefined ? entry.run?.() : visit(entry.to)));
  };
  const steps: Readonly<Record<string, () => void>> = {
    ArrowDown: () => (active.value = Math.min((count.peek() ?? Infinity) - 1, active.peek() + 1)),
    ArrowUp: () => (active.value = Math.max(0, active.peek() - 1)),
    Enter: () => (isEntered.value = true),
  };
  return (
    <Dialog title="Search" look="palette" onClose={close}>
      <input
        class="input palette-field"
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant={at < 0 ? undefined : optionId(at)}
        aria-label="Search services, projects, pages and actions"
        placeholder="Search. > finds actions only."
        autocomplete="off"
        spellcheck={false}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          active.value = 0;
          isEntered.value = false;
        }}
        onKeyDown={(event) => {
          const step = event.isComposing ? undefined : steps[event.key];
          if (!step) return;
          event.preventDefault();
          step();
        }}
      />
      {identity() !== null && <PaletteList search={search} onChoose={choose} />}
    </Dialog>
  );
}

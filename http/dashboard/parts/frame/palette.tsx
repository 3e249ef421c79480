import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { paletteShown } from '../../keys.ts';
import { visit } from '../../router.ts';
import { useEntries } from '../../kinds/entries.ts';
import { type Entry, findEntries } from '../../words/palette.ts';
import { grouped } from '../../words/plural.ts';
import { lookOf } from '../../words/state.ts';
import { Dialog } from '../dialog.tsx';
import { Sign } from '../sign.tsx';

const optionId = (index: number) => `found-${index}`;

/** Finds objects, pages and actions by their names. */
export const Palette = () => <Finder entries={useEntries()} />;

function Finder({ entries }: { readonly entries: readonly Entry[] }) {
  const text = useSignal('');
  const active = useSignal(0);
  const list = useRef<HTMLUListElement>(null);
  const { entries: found, more } = useMemo(() => findEntries(entries, text.value), [entries, text.value]);
  const at = Math.min(active.value, found.length - 1);
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at]);
  const close = () => (paletteShown.value = false);
  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    close();
    // The dialog gives the focus back first, so that what opens next can take it.
    setTimeout(() => (entry.to === undefined ? entry.run?.() : visit(entry.to)));
  };
  const steps: Readonly<Record<string, () => void>> = {
    ArrowDown: () => (active.value = Math.min(found.length - 1, at + 1)),
    ArrowUp: () => (active.value = Math.max(0, at - 1)),
    Enter: () => choose(found[at]),
  };
  return (
    <Dialog title="Search" look="palette" onClose={close}>
      <input
        class="input palette-field"
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant={found.length === 0 ? undefined : optionId(at)}
        aria-label="Search services, projects, pages and actions"
        placeholder="Search. > finds actions only."
        autocomplete="off"
        spellcheck={false}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          active.value = 0;
        }}
        onKeyDown={(event) => {
          const step = event.isComposing ? undefined : steps[event.key];
          if (!step) return;
          event.preventDefault();
          step();
        }}
      />
      <ul class="palette-list" id="found" role="listbox" aria-label="Found" ref={list}>
        {found.map((entry, index) => (
          <Option key={entry.key} entry={entry} index={index} isActive={index === at} onChoose={choose} />
        ))}
      </ul>
      <p class="muted small" role="status">
        {found.length === 0 && 'Nothing has this name.'}
        {more > 0 && `${grouped(more)} more. Type more of the name.`}
      </p>
    </Dialog>
  );
}

interface OptionProps {
  readonly entry: Entry;
  readonly index: number;
  readonly isActive: boolean;
  readonly onChoose: (entry: Entry) => void;
}

function Option({ entry, index, isActive, onChoose }: OptionProps) {
  const look = entry.state === undefined ? null : lookOf(entry.state);
  return (
    <li
      id={optionId(index)}
      class="palette-entry"
      role="option"
      aria-selected={isActive}
      onClick={() => onChoose(entry)}
    >
      {look && (
        <span class="figure" data-tone={look.tone} title={entry.state}>
          <Sign name={look.sign} />
          <span class="unseen">{entry.state}</span>
        </span>
      )}
      <span class="palette-word">{entry.word}</span>
      {entry.place !== undefined && <span class="muted small">{entry.place}</span>}
      <span class="muted small row-end">{entry.kind}</span>
    </li>
  );
}

import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useEntries } from './entries.ts';
import { type Entry, findEntries } from '../../model/palette.ts';
import { grouped } from '../../model/plural.ts';
import { lookOf } from '../../model/state.ts';
import { Icon } from '../icon.tsx';
import { optionId, type Search } from './search.ts';

/** How long Enter waits for what is not read yet: a server may be silent. */
const waitsMs = 3_000;

interface PaletteListProps {
  readonly search: Search;
  readonly onChoose: (entry: Entry) => void;
}

/** What the palette finds, the best first. */
export function PaletteList({ search: { text, active, count, isEntered }, onChoose }: PaletteListProps) {
  const { entries, isWhole } = useEntries(text.value.trimStart().startsWith('>') ? '' : text.value);
  const list = useRef<HTMLUListElement>(null);
  const { entries: found, more } = useMemo(() => findEntries(entries, text.value), [entries, text.value]);
  const at = Math.min(active.value, found.length - 1);
  const isLate = useSignal(false);
  const isAsked = isEntered.value && (isWhole || (isLate.value && found.length > 0));
  useEffect(() => {
    count.value = found.length;
    active.value = Math.max(0, at);
  }, [found.length, at]);
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at]);
  useEffect(() => {
    const timer = setTimeout(() => (isLate.value = true), waitsMs);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!isAsked) return;
    isEntered.value = false;
    const entry = found[at];
    if (entry) onChoose(entry);
  }, [isAsked]);
  return (
    <>
      <ul class="palette-list" id="found" role="listbox" aria-label="Found" ref={list}>
        {found.map((entry, index) => (
          <Option key={entry.key} entry={entry} index={index} isActive={index === at} onChoose={onChoose} />
        ))}
      </ul>
      <p class="muted small" role="status">
        {!isWhole && 'Loading …'}
        {isWhole && found.length === 0 && 'Nothing matches this name.'}
        {more > 0 && `${grouped(more)} more. Type more of the name.`}
      </p>
    </>
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
          <Icon name={look.sign} />
          <span class="unseen">{entry.state}</span>
        </span>
      )}
      <span class="palette-word">{entry.label}</span>
      {entry.place !== undefined && <span class="muted small">{entry.place}</span>}
      <span class="muted small row-end">{entry.kind}</span>
    </li>
  );
}

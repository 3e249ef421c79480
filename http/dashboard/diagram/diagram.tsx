import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Machine } from '../../api.ts';
import { lazyPart } from '../components/lazy.tsx';
import { Skeleton } from '../components/note.tsx';
import { ArrowList } from './arrowList.tsx';
import { type Marks, takenFirst } from './marks.ts';
import { diagramOf } from './model.ts';

interface DiagramProps {
  readonly machine: Machine;
  /** Null where the reader's role hides them. */
  readonly counts: Readonly<Record<string, number>> | null;
  /** The address that a state links to. */
  readonly addressOf: (state: string) => string;
  readonly chosen?: readonly string[];
  readonly marks?: Marks;
  /** The plural noun of its instances. */
  readonly what: string;
}

/** Below this width no drawing is readable, and the transitions are listed instead. */
const minWidth = 600;
const waitingHeight = 320;
/** How far below the window it is loaded. */
const nearBy = '400px';

/** It places states and arrows, which takes more code than all else on a page. */
const Drawing = lazyPart(async () => (await import('./drawing.tsx')).Drawing, waitingHeight);

/**
 * A machine drawn from its table, once it is near the window: with live counts on its states, or with the path of one
 * instance through it. Where there is no room for a drawing it is a list.
 */
export function Diagram({ machine, counts, addressOf, chosen = [], marks, what }: DiagramProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useSignal(0);
  const isNear = useSignal(false);
  useEffect(() => {
    if (!box.current) return undefined;
    const size = new ResizeObserver(([entry]) => (width.value = Math.floor(entry?.contentRect.width ?? 0)));
    const place = new IntersectionObserver(
      (entries) => (isNear.value ||= entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: nearBy },
    );
    size.observe(box.current);
    place.observe(box.current);
    return () => {
      size.disconnect();
      place.disconnect();
    };
  }, []);

  const held = machine.states
    .map(({ name }) => name)
    .filter((name) => (counts?.[name] ?? 0) > 0 || marks?.current === name);
  const went = marks?.moves.map(({ from, to, event }) => `${from} ${event} ${to}`).join();
  const model = useMemo(() => {
    const drawn = diagramOf(machine, new Set(held));
    return marks ? takenFirst(marks, drawn) : drawn;
  }, [machine, held.join(), went]);
  const shownOf = new Map(machine.states.map(({ name, shown }) => [name, shown]));
  const isListed = width.value > 0 && width.value < minWidth;
  return (
    <div ref={box}>
      {isListed && <ArrowList model={model} shownOf={shownOf} marks={marks} />}
      {!isListed && isNear.value && (
        <Drawing
          name={machine.name}
          model={model}
          shownOf={shownOf}
          width={width.value}
          counts={counts}
          addressOf={addressOf}
          chosen={chosen}
          marks={marks}
          what={what}
        />
      )}
      {!isListed && !isNear.value && <Skeleton height={waitingHeight} />}
    </div>
  );
}

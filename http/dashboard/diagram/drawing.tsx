import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { TextWithCode } from '../components/textWithCode.tsx';
import { plural } from '../model/plural.ts';
import { ArrowShape, EntryShape } from './arrowShape.tsx';
import type { Detail } from './detail.ts';
import { Drawn } from './drawn.tsx';
import { close, type Direction, placeDiagram, type Placed, type Sizes } from './layout.ts';
import { markOf, type Marks, takenEvents } from './marks.ts';
import type { DiagramModel } from './model.ts';
import { headMarker, headShape } from './shapes.ts';
import { StateShape } from './stateShape.tsx';

interface DrawingProps {
  /** The name of the machine. */
  readonly name: string;
  readonly model: DiagramModel;
  readonly shownOf: ReadonlyMap<string, string>;
  /** The room for it, in pixels. */
  readonly width: number;
  readonly counts: Readonly<Record<string, number>> | null;
  readonly addressOf: (state: string) => string;
  readonly chosen: readonly string[];
  readonly marks: Marks | undefined;
  readonly what: string;
}

const tries: readonly (readonly [Direction, number])[] = [
  ['LR', 3],
  ['LR', 2],
  ['LR', 1],
  ['TB', 3],
  ['TB', 2],
];
/** Below this scale the labels are hard to read. */
const minScale = 0.88;

/** Sizes in which every label fits its box in this reader's font, also in bold. */
function measured(): Sizes {
  const pen = document.createElement('canvas').getContext('2d');
  if (!pen) return close;
  pen.font = `650 12px ${getComputedStyle(document.body).fontFamily}`;
  return { ...close, lineWidth: (line) => Math.max(close.lineWidth(line), pen.measureText(line).width) };
}

/** The first layout that fits the width without shrinking too far; else the narrowest. */
function place(model: DiagramModel, width: number): Placed {
  const size = measured();
  const narrow = placeDiagram(model, 'TB', 1, size);
  for (const [direction, events] of tries) {
    const placed = placeDiagram(model, direction, events, size);
    if (placed.width * minScale <= width) return placed;
  }
  return narrow;
}

const none: ReadonlySet<string> = new Set();

/** The drawing of a machine, with what its arrows mean below it. */
export function Drawing({ name, model, shownOf, width, counts, addressOf, chosen, marks, what }: DrawingProps) {
  const detail = useSignal<Detail | null>(null);
  const placed = useMemo(() => place(model, width), [model, width]);
  const showDetail = (next: Detail | null) => (detail.value = next);
  return (
    <>
      <div class="diagram">
        <svg
          width={placed.width}
          height={placed.height}
          viewBox={`0 0 ${placed.width} ${placed.height}`}
          role="group"
          aria-label={`State diagram of the machine ${name}`}
        >
          <defs>
            <ArrowHead name="plain" />
            <ArrowHead name="visited" />
            <ArrowHead name="next" />
          </defs>
          {placed.arrows.map((arrow) => (
            <ArrowShape
              key={arrow.key}
              arrow={arrow}
              mark={marks ? markOf(marks, arrow) : 'plain'}
              taken={marks ? takenEvents(marks, arrow) : none}
              showDetail={showDetail}
            />
          ))}
          {placed.entries.map((entry) => (
            <EntryShape key={entry.key} entry={entry} taken={marks ? takenEvents(marks, entry) : none} />
          ))}
          {Object.entries(placed.states).map(([state, at]) => (
            <StateShape
              key={state}
              state={state}
              shown={shownOf.get(state) ?? state}
              box={at}
              href={addressOf(state)}
              count={counts && (counts[state] ?? 0)}
              chosen={chosen.includes(state)}
              marks={marks}
              what={what}
              loops={model.loops[state] ?? []}
              showDetail={showDetail}
            />
          ))}
        </svg>
      </div>
      <div class="diagram-more">
        {detail.value ? <DetailRows detail={detail.value} /> : <Legend model={model} marks={marks} what={what} />}
      </div>
    </>
  );
}

const ArrowHead = ({ name }: { readonly name: 'plain' | 'visited' | 'next' }) => (
  <marker id={`head-${name}`} class={`arrow-${name}`} {...headMarker}>
    <Drawn shapes={[headShape]} />
  </marker>
);

const DetailRows = ({ detail }: { readonly detail: Detail }) => (
  <>
    <b>{detail.title}</b>
    {': '}
    {detail.rows.map(({ id, event, when }, index) => (
      <span key={id}>
        {index > 0 && '; '}
        <code>{event}</code> when <TextWithCode text={when} /> ({id})
      </span>
    ))}
  </>
);

interface LegendProps {
  readonly what: string;
  readonly model: DiagramModel;
  readonly marks: Marks | undefined;
}

const Legend = ({ model, marks, what }: LegendProps) => (
  <>
    {marks
      ? 'Point at an arrow to read its conditions.'
      : `Choose a state to show its ${what}; point at an arrow to read its conditions.`}
    {marks && (
      <>
        <LegendLine mark="visited" label="Visited" />
        <LegendLine mark="next" label="Possible next" />
      </>
    )}
    {!marks &&
      deleting(model).length > 0 &&
      ` Not drawn: ${plural(deleting(model).length, 'transition')} to the end (${deleting(model)
        .map(({ event }) => event)
        .join(', ')}).`}
  </>
);

/** Rows from absence to deletion are refused creations, which never had an instance. */
const deleting = ({ ends }: DiagramModel) => ends.filter(({ to }) => to === '(deleted)');

const LegendLine = ({ mark, label }: { readonly mark: 'visited' | 'next'; readonly label: string }) => (
  <span class="legend">
    <svg class={`arrow-${mark}`} width="30" height="10" aria-hidden="true">
      <path class="arrow-line" d="M1 5H22" />
      <path class="arrow-head" d="M21 1L29 5L21 9z" />
    </svg>
    {label}
  </span>
);

import { clockTime, zonedTime } from '../../model/time.ts';
import { useMemo } from 'preact/hooks';
import { zone } from '../../store/zone.ts';
import { type NumberedLine, segmentsOf } from './level.ts';
import { untimed } from './text.ts';

const blockLines = 100;

interface LogLinesProps {
  readonly lines: readonly NumberedLine[];
  readonly search: string;
  /** The number of the line that the address names; 0 for none. */
  readonly aimed: number;
}

interface Block {
  readonly number: number;
  readonly lines: readonly NumberedLine[];
}

const blockOf = ({ number }: NumberedLine): number => Math.floor((number - 1) / blockLines);

/** Lines in blocks, so that the browser lays out only visible ones and never draws a full block again. */
export function LogLines({ lines, search, aimed }: LogLinesProps) {
  const blocks: Block[] = [];
  for (let from = 0; from < lines.length;) {
    const first = lines[from];
    if (first === undefined) break;
    const number = blockOf(first);
    let to = from + 1;
    for (let line = lines[to]; line !== undefined && blockOf(line) === number; line = lines[to]) to += 1;
    blocks.push({ number, lines: lines.slice(from, to) });
    from = to;
  }
  return (
    <>
      {blocks.map((block, index) => (
        <LogBlock
          key={block.number}
          lines={block.lines}
          search={search}
          aimed={block.lines.some(({ number }) => number === aimed) ? aimed : 0}
          isLast={index === blocks.length - 1}
        />
      ))}
    </>
  );
}

interface LogBlockProps extends LogLinesProps {
  readonly isLast: boolean;
}

function LogBlock({ lines, search, aimed, isLast }: LogBlockProps) {
  const numbers = lines.map(({ number }) => number).join();
  return useMemo(
    () => (
      // The last block is visible while following, so its height must not be estimated.
      <div class={isLast ? undefined : 'log-block'}>
        {lines.map(({ number, text, level, from }) => (
          <div
            key={number}
            id={`L${number}`}
            class={`log-line${level === 'error' ? ' log-error' : ''}${number === aimed ? ' aimed' : ''}`}
          >
            <a href={`#L${number}`} tabIndex={-1} aria-label={`Link to line ${number}`}>
              {number}
            </a>
            {from && <From {...from} />}
            <span>
              {text === '' ? ' ' : <Highlighted text={from ? untimed(text, from.t) : text} search={search} />}
            </span>
          </div>
        ))}
      </div>
    ),
    [numbers, search, aimed, isLast, zone.value],
  );
}

/** A line, with what was searched for marked. */
const Highlighted = ({ text, search }: { readonly text: string; readonly search: string }) => (
  <>{segmentsOf(text, search).map((piece, index) => (index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece))}</>
);

/** When a line was written, and the end of the name of its pod, which distinguishes copies. */
const From = ({ t, pod }: NonNullable<NumberedLine['from']>) => (
  <span class="log-from" title={`${zonedTime(Date.parse(t))} ${pod}`}>
    {clockTime(Date.parse(t))} {pod.slice(pod.lastIndexOf('-') + 1)}
  </span>
);

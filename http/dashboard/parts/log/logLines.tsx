import { useMemo } from 'preact/hooks';
import { isError } from './text.ts';

const blockLines = 100;

interface LogLinesProps {
  readonly lines: readonly string[];
  /** Number of the first line. */
  readonly first: number;
}

/** Lines in blocks, so that the browser lays out only visible ones and never draws a full block again. */
export function LogLines({ lines, first }: LogLinesProps) {
  const start = first - 1;
  const blocks: { readonly number: number; readonly lines: readonly string[] }[] = [];
  for (let at = 0; at < lines.length;) {
    const number = Math.floor((start + at) / blockLines);
    const end = (number + 1) * blockLines - start;
    blocks.push({ number, lines: lines.slice(at, end) });
    at = end;
  }
  return (
    <>
      {blocks.map((block, index) => (
        <Block
          key={block.number}
          lines={block.lines}
          first={index === 0 ? first : block.number * blockLines + 1}
          isLast={index === blocks.length - 1}
        />
      ))}
    </>
  );
}

interface BlockProps extends LogLinesProps {
  readonly isLast: boolean;
}

const Block = ({ lines, first, isLast }: BlockProps) =>
  useMemo(
    () => (
      // The last block is visible while following, so its height must not be estimated.
      <div class={isLast ? undefined : 'log-block'}>
        {lines.map((line, index) => (
          <div
            key={first + index}
            id={`line-${first + index}`}
            class={isError(line) ? 'log-line log-error' : 'log-line'}
          >
            <span aria-hidden="true">{first + index}</span>
            <span>{line === '' ? ' ' : line}</span>
          </div>
        ))}
      </div>
    ),
    [lines.length, first, isLast],
  );

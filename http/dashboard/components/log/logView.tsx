import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { plural } from '../../model/plural.ts';
import { useAimedLine } from './aimedLine.ts';
import { shownLines } from './level.ts';
import { LogLines } from './logLines.tsx';
import { LogTools } from './logTools.tsx';
import type { Level, Log } from './log.ts';
import { Card } from '../card.tsx';

interface LogViewProps {
  readonly label: string;
  readonly log: Log;
  /** Identifies the log: another one is followed anew. */
  readonly of: string;
  /** Whether it is still being written. */
  readonly isLive: boolean;
  /** What downloads it. */
  readonly download: ComponentChildren;
  /** A choice of which log it is, beside the other tools. */
  readonly source?: ComponentChildren;
  /** What stands above the lines. */
  readonly children?: ComponentChildren;
}

const nearEndPx = 24;
const countOf = ({ dropped, lines }: Log): number => dropped + lines.length;

/** A log: followed while it is written, paused without loss, cut down by level and text, each line with a link. */
export function LogView({ label, log, of, isLive, download, source, children }: LogViewProps) {
  /** The log as it was when it was paused; null while it is followed. */
  const held = useSignal<Log | null>(null);
  const level = useSignal<Level>('debug');
  const search = useSignal('');
  const wraps = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);
  const { aimed, forget } = useAimedLine();
  const isFinished = log.reading.is === 'whole' || (!isLive && log.reading.is !== 'following');
  const paused = isFinished ? null : held.value;
  const current = paused ?? log;
  const lines = shownLines(current, { level: level.value, search: search.value });
  const firstError = lines.find(({ level: own }) => own === 'error');
  const follows = paused === null && !isFinished && aimed === 0;

  useEffect(() => {
    if (follows && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines.length, follows, wraps.value]);
  useEffect(() => {
    if (aimed > 0) center(box.current, `L${aimed}`);
  }, [aimed, lines.length > 0]);
  useEffect(() => void (held.value = null), [of]);

  const pause = () => (held.value ??= log);
  const follow = () => {
    held.value = null;
    forget();
  };
  const onScroll = () => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = box.current ?? {};
    // Lines that get their real height move the end away, which is no wish to stop.
    const isUp = scrollTop < lastTop.current;
    lastTop.current = scrollTop;
    if (follows && isUp && scrollHeight - scrollTop - clientHeight >= nearEndPx) pause();
  };
  return (
    <Card label="Log">
      <LogTools
        log={current}
        shown={lines}
        missed={paused === null ? 0 : countOf(log) - countOf(paused)}
        isPaused={!follows}
        isFinished={isFinished}
        level={level}
        search={search}
        wraps={wraps}
        download={download}
        onPause={pause}
        onFollow={follow}
        onFirstError={
          firstError &&
          (() => {
            pause();
            center(box.current, `L${firstError.number}`);
          })
        }
        source={source}
      />
      {children}
      <div
        ref={box}
        class={`log${wraps.value ? ' log-wrap' : ''}`}
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={label}
        onScroll={onScroll}
      >
        {lines.length === 0 && <p class="log-empty">{emptyWords(current, isLive)}</p>}
        <LogLines lines={lines} search={search.value} aimed={aimed} />
      </div>
    </Card>
  );
}

/** Blocks out of sight have an estimated height until they are shown, so only a later try is exact. */
function center(box: HTMLElement | null, id: string, tries = 3): void {
  const line = document.getElementById(id);
  if (!box || !line || tries === 0) return;
  const { top, height } = box.getBoundingClientRect();
  box.scrollTop += line.getBoundingClientRect().top - top - height / 2;
  requestAnimationFrame(() => center(box, id, tries - 1));
}

function emptyWords({ lines, reading }: Log, isLive: boolean): string {
  if (lines.length > 0) return `None of ${plural(lines.length, 'line')} matches.`;
  if (reading.is === 'lost') return reading.error;
  if (reading.is === 'reading') return 'Loading …';
  return isLive ? 'No output yet.' : 'The log is empty.';
}

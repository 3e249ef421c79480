import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { grouped, plural } from '../../model/plural.ts';
import { CopyButton } from '../copy.tsx';
import { toFirstRow } from '../filter/toFirstRow.ts';
import { levelWords, type NumberedLine } from './level.ts';
import { type Level, levels, type Log, maxLines } from './log.ts';

interface LogToolsProps {
  readonly log: Log;
  readonly shown: readonly NumberedLine[];
  /** Lines that came while it was paused. */
  readonly missed: number;
  readonly isPaused: boolean;
  readonly isFinished: boolean;
  readonly level: Signal<Level>;
  readonly search: Signal<string>;
  readonly wraps: Signal<boolean>;
  readonly download: ComponentChildren;
  readonly onPause: () => void;
  readonly onFollow: () => void;
  /** Left out where no line reports an error. */
  readonly onFirstError: (() => void) | undefined;
  readonly source: ComponentChildren;
}

/** What can be done with a log: which lines are shown and how, and whether it moves. */
export const LogTools = ({ log, shown, search, level, wraps, download, source, ...moving }: LogToolsProps) => (
  <div class="card-head log-tools">
    {source}
    <input
      class="input"
      type="search"
      aria-label="Search the log"
      placeholder="Search"
      value={search.value}
      onInput={(event) => (search.value = event.currentTarget.value)}
      onKeyDown={toFirstRow}
    />
    <select
      class="select"
      aria-label="Level"
      value={level.value}
      onChange={(event) => (level.value = levels.find((one) => one === event.currentTarget.value) ?? 'debug')}
    >
      {levels.toReversed().map((one) => (
        <option key={one} value={one}>
          {levelWords[one]}
        </option>
      ))}
    </select>
    <span class="small muted" role="status">
      {inWords(log, shown.length)}
    </span>
    <div class="row row-end">
      <FollowButton {...moving} />
      <button
        type="button"
        class="button button-small"
        disabled={moving.onFirstError === undefined}
        onClick={() => moving.onFirstError?.()}
      >
        First error
      </button>
      <button
        type="button"
        class="button button-small button-plain"
        aria-pressed={wraps.value}
        onClick={() => (wraps.value = !wraps.value)}
      >
        Wrap
      </button>
      <CopyButton text={() => shown.map(({ text }) => text).join('\n')} what="the lines shown" />
      {download}
    </div>
  </div>
);

type FollowProps = Pick<LogToolsProps, 'missed' | 'isPaused' | 'isFinished' | 'onPause' | 'onFollow'>;

/** A finished log does not move, so it cannot be paused. */
function FollowButton({ missed, isPaused, isFinished, onPause, onFollow }: FollowProps) {
  if (isFinished) return null;
  return (
    <button type="button" class="button button-small" onClick={isPaused ? onFollow : onPause}>
      {!isPaused && 'Pause'}
      {isPaused && (missed > 0 ? plural(missed, 'new line') : 'Follow')}
    </button>
  );
}

function inWords({ lines, dropped, reading }: Log, shown: number): string {
  const all = plural(lines.length, 'line');
  const count = shown === lines.length ? all : `${grouped(shown)} of ${all}`;
  const cut = dropped > 0 ? `; the first ${grouped(dropped)} are not kept here, at most ${grouped(maxLines)} are` : '';
  switch (reading.is) {
    case 'reading':
      return 'Loading …';
    case 'following':
      return `Live, ${count}${cut}`;
    case 'whole':
      return `${count}${cut}${reading.why === '' ? '' : ` · ${reading.why}`}`;
    case 'lost':
      return lines.length === 0 ? '' : `${reading.error} after ${count}`;
  }
}

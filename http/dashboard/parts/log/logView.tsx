import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { BuildRead } from '../../../api.ts';
import { api } from '../../api.ts';
import { isError } from './text.ts';
import { type Log, mostLines, useLog } from './useLog.ts';
import { Note } from '../note.tsx';
import { grouped, plural } from '../../words/plural.ts';
import { LogLines } from './logLines.tsx';

const containers = ['builder', 'git'] as const;
/** The states whose log is still being written. */
const isWriting = (build: BuildRead) => build.state === 'Running';

/** The log of a build: followed while it is written, paused by scrolling up. */
export function LogView({ build }: { readonly build: BuildRead }) {
  const container = useSignal<(typeof containers)[number]>('builder');
  const wraps = useSignal(false);
  const sticks = useSignal(true);
  const box = useRef<HTMLDivElement>(null);
  const log = useLog({
    name: build.name,
    container: container.value,
    follow: isWriting(build),
    run: build.startedAt ?? '',
  }).value;
  const firstError = log.lines.findIndex(isError);

  useEffect(() => {
    if (sticks.value && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [log.lines, sticks.value, wraps.value]);
  const onScroll = () => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = box.current ?? {};
    sticks.value = scrollHeight - scrollTop - clientHeight < 24;
  };
  const toError = () => {
    sticks.value = false;
    center(box.current, `line-${log.dropped + firstError + 1}`);
  };

  return (
    <section class="card" aria-label="Log">
      <div class="card-head">
        <label class="check">
          Container
          <select
            class="input"
            value={container.value}
            onChange={(event) =>
              (container.value = containers.find((name) => name === event.currentTarget.value) ?? 'builder')
            }
          >
            {containers.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <span class="small muted" role="status">
          {inWords(log)}
        </span>
        <div class="row row-end">
          <button
            type="button"
            class="button button-small"
            aria-pressed={sticks.value}
            onClick={() => (sticks.value = !sticks.value)}
          >
            {sticks.value ? 'Pause' : 'Follow'}
          </button>
          <button type="button" class="button button-small" disabled={firstError < 0} onClick={toError}>
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
          <a
            class="button button-small"
            href={api.log(build.name, container.value)}
            download={`${build.name}-${container.value}.log`}
          >
            Download
          </a>
        </div>
      </div>
      {build.lastLogLine !== '' && (
        <div style={{ padding: '12px 16px 0' }}>
          <Note tone={build.state === 'Failed' ? 'bad' : 'active'}>
            Last line: <code>{build.lastLogLine}</code>
          </Note>
        </div>
      )}
      <div
        ref={box}
        class={`log${wraps.value ? ' log-wrap' : ''}`}
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={`Log of ${container.value}`}
        onScroll={onScroll}
      >
        {log.lines.length === 0 && <p style={{ padding: '4px 16px' }}>{emptyWords(log, build)}</p>}
        <LogLines lines={log.lines} first={log.dropped + 1} />
      </div>
    </section>
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

function inWords({ lines, dropped, reading }: Log): string {
  const count = plural(lines.length, 'line');
  const cut = dropped > 0 ? `; the first ${grouped(dropped)} are not kept here, at most ${grouped(mostLines)} are` : '';
  switch (reading.is) {
    case 'reading':
      return 'Reading …';
    case 'following':
      return `Following, ${count}${cut}`;
    case 'whole':
      return `${count}${cut}${reading.why === '' ? '' : ` · ${reading.why}`}`;
    case 'lost':
      return lines.length === 0 ? '' : `${reading.error} after ${count}`;
  }
}

function emptyWords({ reading }: Log, build: BuildRead): string {
  if (reading.is === 'lost') return reading.error;
  if (reading.is === 'reading') return 'Reading …';
  return isWriting(build) ? 'Nothing was written yet.' : 'The log is empty.';
}

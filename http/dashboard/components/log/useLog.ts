import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { readText } from '../../api.ts';
import type { SseMessage } from '../../stream/sse.ts';
import { type ChangeLog, followLog } from './followLog.ts';
import { lineLevel } from './level.ts';
import { type Line, type Log, noLog, withLines } from './log.ts';
import { linesOf, plainLine } from './text.ts';

interface LogRequest {
  readonly path: string;
  /** Whether the run goes on, so that its log is followed. */
  readonly follow: boolean;
  /** Identifies the run, because another run has another log. */
  readonly run: string;
}

const silenceMs = 300_000;

const lineOf = (text: string): Line => ({ text, level: lineLevel(text) });

/** The line of an event of a build's log. */
function lineIn({ event, data }: SseMessage): Line | null {
  if (event !== 'line') return null;
  try {
    const { line } = JSON.parse(data) as { readonly line?: unknown };
    return lineOf(plainLine(typeof line === 'string' ? line : ''));
  } catch {
    return lineOf(plainLine(data));
  }
}

/** Reads a log to its end, or follows it while it is written. */
export function useLog({ path, follow, run }: LogRequest) {
  const log = useSignal<Log>(noLog);
  const key = `${path} ${run}`;
  const before = useRef({ key: '', follow: false });
  // A followed run that ends is still followed to the end of its log, and not read a second time.
  const follows = follow || (before.current.key === key && before.current.follow);
  before.current = { key, follow: follows };
  useEffect(() => {
    const abort = new AbortController();
    log.value = noLog;
    const { signal } = abort;
    const change: ChangeLog = (next) => (log.value = next(log.peek()));
    // The server sends the log from its beginning each time.
    const followed = { path: following(path), signal, resumes: false, limitMs: silenceMs, lineOf: lineIn };
    void (follows ? followLog(followed, change) : readLog(path, signal, change));
    return () => abort.abort();
  }, [key, follows]);
  return log;
}

const following = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}follow=true`;

async function readLog(path: string, signal: AbortSignal, change: ChangeLog): Promise<void> {
  const answer = await readText(path, signal);
  if (signal.aborted) return;
  change((log) =>
    answer.is === 'ok'
      ? { ...withLines(log, linesOf(answer.value).map(lineOf)), reading: { is: 'whole', why: '' } }
      : { ...log, reading: { is: 'lost', error: answer.error } },
  );
}

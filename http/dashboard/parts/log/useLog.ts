import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { readText } from '../../api.ts';
import { backoffMs } from '../../stream/backoff.ts';
import { openStream } from '../../stream/openStream.ts';
import type { SseMessage } from '../../stream/sse.ts';
import { lineLevel } from './level.ts';
import { gather, type Line, type Log, noLog, withLines } from './log.ts';
import { linesOf, plainLine } from './text.ts';

interface LogAsked {
  readonly path: string;
  /** Whether the run goes on, so that its log is followed. */
  readonly follow: boolean;
  /** Identifies the run, because another run has another log. */
  readonly run: string;
}

const silenceMs = 300_000;

const lineOf = (text: string): Line => ({ text, level: lineLevel(text) });

const textIn = ({ data }: SseMessage, key: 'line' | 'reason'): string => {
  try {
    const value = (JSON.parse(data) as Readonly<Record<string, unknown>>)[key];
    return typeof value === 'string' ? value : '';
  } catch {
    return data;
  }
};

/** Reads a log to its end, or follows it while it is written. */
export function useLog({ path, follow, run }: LogAsked) {
  const log = useSignal<Log>(noLog);
  const key = `${path} ${run}`;
  const before = useRef({ key: '', follow: false });
  // A followed run that ends is still followed to the end of its log, and not read a second time.
  const follows = follow || (before.current.key === key && before.current.follow);
  before.current = { key, follow: follows };
  useEffect(() => {
    const abort = new AbortController();
    log.value = noLog;
    void (follows ? followLog : readLog)(path, abort.signal, (next) => (log.value = next(log.peek())));
    return () => abort.abort();
  }, [key, follows]);
  return log;
}

type Change = (next: (log: Log) => Log) => void;

async function readLog(path: string, signal: AbortSignal, change: Change): Promise<void> {
  const answer = await readText(path, signal);
  if (signal.aborted) return;
  change((log) =>
    answer.is === 'ok'
      ? { ...withLines(log, linesOf(answer.value).map(lineOf)), reading: { is: 'whole', why: '' } }
      : { ...log, reading: { is: 'lost', error: answer.error } },
  );
}

async function followLog(path: string, signal: AbortSignal, change: Change): Promise<void> {
  for (let failures = 1; !signal.aborted; failures += 1) {
    const lines = gather((more) => change((log) => withLines(log, more)));
    let ended: string | null = null;
    const end = await openStream({
      path: `${path}${path.includes('?') ? '&' : '?'}follow=true`,
      lastId: '',
      signal,
      limitMs: silenceMs,
      // The server sends the log from its beginning each time.
      onOpen: () => change(() => ({ ...noLog, reading: { is: 'following' } })),
      onMessage: (message) => {
        failures = 1;
        if (message.event === 'line') lines.add(lineOf(plainLine(textIn(message, 'line'))));
        if (message.event === 'end') ended = textIn(message, 'reason');
      },
    });
    lines.flush();
    if (signal.aborted) return;
    const why = ended;
    if (why !== null) return change((log) => ({ ...log, reading: { is: 'whole', why } }));
    const error = end.is === 'ok' ? 'The log broke off' : end.error;
    change((log) => ({ ...log, reading: { is: 'lost', error } }));
    await new Promise((resolve) => setTimeout(resolve, backoffMs(failures + 1, Math.random())));
  }
}

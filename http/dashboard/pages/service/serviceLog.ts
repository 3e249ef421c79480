import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ServiceLogLine } from '../../../api.ts';
import { api } from '../../api.ts';
import { followLog } from '../../components/log/followLog.ts';
import { type Line, type Log, noLog } from '../../components/log/log.ts';
import { plainLine } from '../../components/log/text.ts';
import type { SseMessage } from '../../stream/sse.ts';

/** How many lines of each copy are read to begin with. */
const tail = 1_000;

function lineOf({ event, data }: SseMessage): Line | null {
  if (event !== 'message') return null;
  const { t, pod, line, level } = JSON.parse(data) as ServiceLogLine;
  return { text: plainLine(line), level, from: { t, pod } };
}

/** Follows the log of all copies; a stream that broke goes on after the last line that came. */
export function useServiceLog(name: string): Log {
  const log = useSignal<Log>(noLog);
  useEffect(() => {
    const abort = new AbortController();
    const path = api.serviceLog(name, tail);
    log.value = noLog;
    void followLog({ path, signal: abort.signal, resumes: true, lineOf }, (next) => (log.value = next(log.peek())));
    return () => abort.abort();
  }, [name]);
  return log.value;
}

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ServiceLogLine } from '../../../api.ts';
import { api } from '../../api.ts';
import { gather, type Line, type Log, noLog, withLines } from '../../parts/log/log.ts';
import { plainLine } from '../../parts/log/text.ts';
import { backoffMs } from '../../stream/backoff.ts';
import { openStream } from '../../stream/openStream.ts';

/** How many lines of each copy are read to begin with. */
const tail = 1_000;

type Change = (next: (log: Log) => Log) => void;

const lineOf = ({ t, pod, line, level }: ServiceLogLine): Line => ({ text: plainLine(line), level, from: { t, pod } });

/** Follows the log of all copies; a stream that broke goes on after the last line that came. */
export function useServiceLog(name: string): Log {
  const log = useSignal<Log>(noLog);
  useEffect(() => {
    const abort = new AbortController();
    log.value = noLog;
    void follow(name, abort.signal, (next) => (log.value = next(log.peek())));
    return () => abort.abort();
  }, [name]);
  return log.value;
}

async function follow(name: string, signal: AbortSignal, change: Change): Promise<void> {
  let lastId = '';
  for (let failures = 1; !signal.aborted; failures += 1) {
    const lines = gather((more) => change((log) => withLines(log, more)));
    let ended: string | null = null;
    const end = await openStream({
      path: `${api.ofApp(name, 'logs/stream')}?tail=${tail}`,
      lastId,
      signal,
      onOpen: () => change((log) => ({ ...log, reading: { is: 'following' } })),
      onMessage: ({ event, data, id }) => {
        failures = 1;
        if (event === 'end') ended = (JSON.parse(data) as { readonly reason: string }).reason;
        else lines.add(lineOf(JSON.parse(data) as ServiceLogLine));
        lastId = id;
      },
    });
    lines.flush();
    if (signal.aborted) return;
    const why = ended;
    if (why !== null) return change((log) => ({ ...log, reading: { is: 'whole', why } }));
    const error = end.is === 'ok' ? 'The log broke off' : end.error;
    change((log) => ({ ...log, reading: { is: 'lost', error } }));
    if (end.is === 'refused' && end.status < 500) return;
    await new Promise((resolve) => setTimeout(resolve, backoffMs(failures + 1, Math.random())));
  }
}

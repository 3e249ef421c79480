import { backoffMs } from '../../stream/backoff.ts';
import { openStream } from '../../stream/openStream.ts';
import type { SseMessage } from '../../stream/sse.ts';
import { gather, type Line, type Log, noLog, withLines } from './log.ts';

/** How a log is followed, and how its events are read. */
export interface FollowedLog {
  readonly path: string;
  readonly signal: AbortSignal;
  /**
   * Whether a new connection goes on after the last event, rather than from the beginning. A refusal then is final: of
   * a log from the beginning it may only say that nothing was written yet.
   */
  readonly resumes: boolean;
  /** How long the server may be silent. */
  readonly limitMs?: number;
  /** The line that an event carries; null for any other event. */
  readonly lineOf: (message: SseMessage) => Line | null;
}

export type ChangeLog = (next: (log: Log) => Log) => void;

/** Why a log is over, as its last event has it. */
function reasonIn(data: string): string {
  try {
    const { reason } = JSON.parse(data) as { readonly reason?: unknown };
    return typeof reason === 'string' ? reason : '';
  } catch {
    return data;
  }
}

/** Follows a log to its end, over connections that break. */
export async function followLog({ resumes, lineOf, ...asked }: FollowedLog, change: ChangeLog): Promise<void> {
  const { signal } = asked;
  let lastId = '';
  for (let failures = 1; !signal.aborted; failures += 1) {
    const lines = gather((more) => change((log) => withLines(log, more)));
    let ended: string | null = null;
    const end = await openStream({
      ...asked,
      lastId,
      onOpen: () => change((log) => ({ ...(resumes ? log : noLog), reading: { is: 'following' } })),
      onMessage: (message) => {
        failures = 1;
        if (resumes) lastId = message.id;
        if (message.event === 'end') ended = reasonIn(message.data);
        const line = lineOf(message);
        if (line !== null) lines.add(line);
      },
    });
    lines.flush();
    if (signal.aborted) return;
    const why = ended;
    if (why !== null) return change((log) => ({ ...log, reading: { is: 'whole', why } }));
    const error = end.is === 'ok' ? 'The log broke off' : end.error;
    change((log) => ({ ...log, reading: { is: 'lost', error } }));
    if (resumes && end.is === 'refused' && end.status < 500) return;
    await new Promise((resolve) => setTimeout(resolve, backoffMs(failures + 1, Math.random())));
  }
}

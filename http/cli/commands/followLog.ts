import { type ApiClient, type Events, refusalText, type Sending } from '../../apiClient/client.ts';
import type { ApiEvent } from '../../apiClient/events.ts';
import { ApiFailure } from '../../apiClient/failure.ts';
import { read } from '../../apiClient/shape.ts';
import type { Run } from '../command.ts';
import { logEndShape, type LogLine, logLineShape } from '../shapes.ts';
import { plain } from '../text/plain.ts';
import { linesText } from './logLines.ts';

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
/** Ids of lines that were printed last: a stream that is opened again may send some of them twice. */
const remembered = 4_000;

function json(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw new ApiFailure('the stream holds something that is no JSON');
  }
}

async function open(
  client: ApiClient,
  path: string,
  sending: Sending & { readonly lastEventId?: string },
): Promise<Events> {
  const answer = await client.follow('GET', path, sending);
  if ('events' in answer) return answer.events;
  if (answer.status >= 400) throw new ApiFailure(refusalText(answer, client.address), answer.status);
  throw new ApiFailure(`${client.address} answered with something that is no stream`);
}

/** The ids of the newest lines, as a ring; only a reconnected stream searches it. */
function makeMemory() {
  const ids: string[] = [];
  let next = 0;
  return {
    add: (id: string): void => {
      ids[next] = id;
      next = (next + 1) % remembered;
    },
    all: (): ReadonlySet<string> => new Set(ids),
  };
}

/** The values of events, read in one go: each alone takes half as long again. */
function jsonOf(events: readonly ApiEvent[]): readonly unknown[] {
  const values = events.length === 1 ? null : jsonList(events);
  return values?.length === events.length ? values : events.map(({ data }) => json(data));
}
function jsonList(events: readonly ApiEvent[]): readonly unknown[] | null {
  try {
    return JSON.parse(`[${events.map(({ data }) => data).join(',')}]`) as readonly unknown[];
  } catch {
    return null;
  }
}

/** The lines that are new among events, and why the stream ended if it did. */
function makeReader() {
  const memory = makeMemory();
  let printed: ReadonlySet<string> = new Set();
  let lastEventId = '';
  const isNew = ({ id }: ApiEvent): boolean => {
    if (id === '') return true;
    lastEventId = id;
    if (printed.size > 0 && printed.has(id)) return false;
    memory.add(id);
    return true;
  };
  return {
    /** The last line that came. From here on lines may come twice. */
    openAgain: (): string => {
      printed = memory.all();
      return lastEventId;
    },
    lines: (events: readonly ApiEvent[]): readonly LogLine[] =>
      jsonOf(events.filter((event) => event.event === 'message' && isNew(event))).map((line) =>
        read(logLineShape, line),
      ),
    end: (events: readonly ApiEvent[]): string | null => {
      const end = events.find(({ event }) => event === 'end');
      return end === undefined ? null : (read(logEndShape, json(end.data)).reason ?? 'the stream ended');
    },
  };
}

/** Asking again does not help. */
const isFinal = (error: unknown): boolean =>
  !(error instanceof ApiFailure) ||
  (error.status !== null && error.status < 500 && error.status !== 408 && error.status !== 429);

type Reader = ReturnType<typeof makeReader>;

/** Prints what one opened stream brings; resolves with why the server ended it, or with null where it broke off. */
async function printStream(run: Run, events: Events, reader: Reader, onBatch: () => void): Promise<string | null> {
  for await (const batch of events) {
    onBatch();
    const lines = reader.lines(batch);
    if (lines.length > 0) await run.print(linesText(run, lines));
    const ended = reader.end(batch);
    if (ended !== null) return ended;
  }
  return null;
}

/**
 * Prints the lines of a service as they come, over broken connections, until Ctrl-C or until the service is deleted.
 * What is refused from the start ends the command.
 */
export async function followLog(
  run: Run,
  path: string,
  query: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { clock } = run.io;
  const { signal, release } = run.io.catchInterrupt();
  const reader = makeReader();
  let pauseMs = firstPauseMs;
  let hasBegun = false;
  let isReported = false;
  const onBatch = () => void (pauseMs = firstPauseMs);
  try {
    while (!signal.aborted) {
      try {
        const events = await open(run.client(), path, { signal, lastEventId: reader.openAgain(), query });
        hasBegun = true;
        const ended = await printStream(run, events, reader, onBatch);
        if (ended !== null) return await run.note(`${plain(ended)}\n`);
      } catch (error) {
        if (signal.aborted) return;
        if (isFinal(error) || !hasBegun) throw error;
      }
      if (!isReported && !signal.aborted) await run.note('the stream broke off: it is opened again\n');
      isReported = true;
      await clock.sleep(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  } finally {
    release();
  }
}

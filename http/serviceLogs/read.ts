import { Effect, Stream } from 'effect';
import { type PlacedLine, placed, type Reached, stampedLine } from '../../rules/serviceLog/line.ts';
import { Unavailable, Cluster, type LogLinesOptions, type ReadError } from '../../runtime/services/cluster/cluster.ts';
import { errorMessage } from '../../rules/errorMessage.ts';
import type { Copy } from './copies.ts';

const answerWithinMs = 10_000;
const atOnce = 32;

/** The lines of one container that are there now, the oldest first. */
export const linesOf = (
  { namespace, pod, container }: Copy,
  options: Omit<LogLinesOptions, 'container' | 'follow' | 'timestamps'>,
): Effect.Effect<readonly PlacedLine[], ReadError, Cluster> =>
  Effect.flatMap(Cluster, (cluster) => {
    const request = { ...options, container, timestamps: true };
    return Stream.runCollect(cluster.logLines({ name: pod, namespace }, request));
  }).pipe(
    Effect.map(placedLines),
    Effect.timeoutOrElse({
      duration: answerWithinMs,
      orElse: () => Effect.fail(new Unavailable({ message: `no answer within ${answerWithinMs / 1_000} s` })),
    }),
  );

function placedLines(raw: readonly string[]): readonly PlacedLine[] {
  const lines: PlacedLine[] = [];
  let reached: Reached | null = null;
  for (const text of raw) {
    const line = stampedLine(text);
    if (line === null) continue;
    reached = placed(line, reached);
    lines.push(reached.last);
  }
  return lines;
}

/** What was read of one container, or why nothing was. */
export type CopyRead =
  | { readonly is: 'read'; readonly copy: Copy; readonly lines: readonly PlacedLine[] }
  | { readonly is: 'missing'; readonly copy: Copy; readonly message: string };

/** Reads containers beside each other; one that does not answer hides none of the others. */
export const readCopies = (
  copies: readonly Copy[],
  options: Parameters<typeof linesOf>[1],
): Effect.Effect<readonly CopyRead[], never, Cluster> =>
  Effect.forEach(
    copies,
    (copy) =>
      Effect.match(linesOf(copy, options), {
        onSuccess: (lines): CopyRead => ({ is: 'read', copy, lines }),
        onFailure: (failure): CopyRead => ({ is: 'missing', copy, message: errorMessage(failure) }),
      }),
    { concurrency: atOnce },
  );

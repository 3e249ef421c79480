import { markAt } from '../../rules/consoleSession/start.ts';
import type { ExecStream } from '../services/exec.ts';

/** A stream whose first output tells the process id of its shell; `heard` is told, and nobody else sees it. */
export function withoutMark(stream: ExecStream, heard: (pid: number) => void): ExecStream {
  let first: Buffer | null = Buffer.alloc(0);
  return {
    ...stream,
    listen: (listener) =>
      stream.listen({
        ...listener,
        output: (data) => {
          if (first === null) return listener.output(data);
          const seen: Buffer = first.length === 0 ? data : Buffer.concat([first, data]);
          const marked = markAt(seen.toString('latin1'));
          first = marked.is === 'unfinished' ? seen : null;
          if (marked.is === 'unfinished') return;
          if (marked.is === 'mark') heard(marked.pid);
          const rest = marked.is === 'mark' ? seen.subarray(marked.bytes) : seen;
          if (rest.length > 0) listener.output(rest);
        },
        ended: (end) => {
          if (first !== null && first.length > 0) listener.output(first);
          listener.ended(end);
        },
      }),
  };
}

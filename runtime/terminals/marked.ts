import { markIn } from '../../rules/consoleSession/start.ts';
import type { ExecStream } from '../services/exec.ts';

/** After this many bytes, no process id is expected. */
const maxBefore = 64 * 1_024;

/** Removes the process id, which a shell prints first, from the output of a stream; `heard` receives it. */
export function withoutMark(stream: ExecStream, heard: (pid: number) => void): ExecStream {
  let isSought = true;
  let passed = 0;
  let held: Buffer = Buffer.alloc(0);

  /** The output that may be shown so far. */
  function shown(data: Buffer): Buffer {
    const seen = held.length === 0 ? data : Buffer.concat([held, data]);
    const marked = markIn(seen.toString('latin1'));
    const at = marked.is === 'unfinished' ? marked.at : seen.length;
    held = seen.subarray(at);
    passed += at;
    isSought = marked.is !== 'mark' && passed < maxBefore;
    if (marked.is !== 'mark') return isSought ? seen.subarray(0, at) : seen;
    heard(marked.pid);
    return Buffer.concat([seen.subarray(0, marked.at), seen.subarray(marked.at + marked.bytes)]);
  }

  return {
    ...stream,
    listen: (listener) =>
      stream.listen({
        ...listener,
        output: (data) => {
          const text = isSought ? shown(data) : data;
          if (text.length > 0) listener.output(text);
        },
        ended: (end) => {
          if (isSought && held.length > 0) listener.output(held);
          listener.ended(end);
        },
      }),
  };
}

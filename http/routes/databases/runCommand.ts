import type { ExecEnd, ExecStream } from '../../../runtime/services/exec.ts';

/** What a command said, and how it ended. */
export interface CommandRun {
  readonly output: string;
  /** It said more, and was left. */
  readonly truncated: boolean;
  readonly end: ExecEnd;
}

interface Limits {
  readonly outputBytes: number;
  readonly timeoutMs: number;
}

/** Writes the input of a command and collects its output; one that says too much or takes too long is left. */
export function runCommand(stream: ExecStream, input: Buffer, { outputBytes, timeoutMs }: Limits): Promise<CommandRun> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let size = 0;
    let end: ExecEnd | null = null;
    const finish = (how: ExecEnd) => {
      if (end !== null) return;
      end = how;
      clearTimeout(timer);
      const output = Buffer.concat(parts).subarray(0, outputBytes);
      resolve({ output: new TextDecoder().decode(output), truncated: size > outputBytes, end });
      stream.close();
    };
    const timer = setTimeout(
      () => finish({ is: 'lost', why: `it took longer than ${timeoutMs / 1_000} s` }),
      timeoutMs,
    );
    stream.listen({
      output: (data) => {
        size += data.length;
        parts.push(data);
        if (size > outputBytes) finish({ is: 'lost', why: 'its output is too long' });
      },
      drained: () => {},
      ended: finish,
    });
    stream.write(input);
  });
}

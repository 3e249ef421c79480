import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../support/until.ts';

/** One shell for all blocks of a page: variables, functions and the folder last from block to block. */
export interface Shell {
  /** Runs commands; resolves with what they printed, on both outputs. Rejects at the first one that does not exit 0. */
  readonly run: (commands: string) => Promise<string>;
  /** Starts one command that goes on; what it printed so far. */
  readonly start: (command: string) => Promise<() => string>;
  /** What the commands under way have printed so far. */
  readonly printed: () => string;
  /** Ends it with everything that was started, and waits for that. */
  readonly end: () => Promise<void>;
}

const done = '\u001E';
const blockMs = 240_000;

/** Commands come as files, so that none of them reads the next ones as its input. */
const loop = `
set -eE -o pipefail
trap 'echo "exited with $?: $BASH_COMMAND"' ERR
trap 'for job in $(jobs -p); do kill -TERM "$job" || true; done; wait' EXIT
while IFS= read -r file <&3; do
  . "$file" </dev/null
  printf '${done}'
done
`;

export function openShell(folder: string, environment: Readonly<Record<string, string>>): Shell {
  const scratch = mkdtempSync(join(tmpdir(), 'core-shell-'));
  const child = spawn('bash', ['--noprofile', '--norc', '-c', `exec 2>&1${loop}`], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  const ended = once(child, 'close');
  let printed = '';
  child.stdout?.on('data', (text: Buffer) => (printed += text.toString('utf8')));
  const input = child.stdio[3];
  if (!(input && 'write' in input)) throw new Error('bash was started without its input');
  let files = 0;
  const run = async (commands: string): Promise<string> => {
    const file = join(scratch, `${files++}.sh`);
    writeFileSync(file, `${commands}\n`);
    printed = '';
    input.write(`${file}\n`);
    const isOver = () => printed.endsWith(done) || child.exitCode !== null || child.signalCode !== null;
    // What hangs is ended with the shell, and the blocks that would follow it fail at once.
    await until(isOver, commands, blockMs).catch((error: unknown) => {
      child.kill('SIGTERM');
      throw new Error(`${String(error)}\n${printed}`);
    });
    if (!printed.endsWith(done)) throw new Error(printed);
    return printed.slice(0, -done.length);
  };
  return {
    run,
    start: async (command) => {
      const log = join(scratch, `${files++}.log`);
      writeFileSync(log, '');
      await run(`( exec ${command}
) 3<&- >${log} 2>&1 &`);
      return () => readFileSync(log, 'utf8');
    },
    printed: () => printed,
    end: async () => {
      input.end();
      await ended;
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../../http/cli/run.ts';
import type { Io } from '../../../http/cli/io.ts';

/** What one command came to. */
export interface Ended {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

export interface TerminalOptions {
  /** How the user calls the program. */
  readonly called?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input; its lines are typed where `isTerminal`. */
  readonly input?: string;
  readonly isTerminal?: boolean;
  readonly outIsTerminal?: boolean;
  /** Called whenever the command sleeps, by when the clock stands that much later. */
  readonly onSleep?: (ms: number) => Promise<void> | void;
  readonly onWrite?: (text: string) => void;
  /** Does not let time stand still: for what waits for a server. */
  readonly realSleep?: boolean;
}

/** A shell with a configuration file of its own, whose clock moves only when a command sleeps. */
export function terminal(options: TerminalOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'core-cli-'));
  const config = join(folder, 'core', 'config.json');
  const time = { ms: 0, begun: Date.now() };
  const opened: string[] = [];
  const slept: number[] = [];
  let interrupt = new AbortController();

  const ioOf = (given: TerminalOptions, told: { out: string; err: string }): Io => {
    const { env = {}, input = '', isTerminal = false, outIsTerminal = false, onSleep, onWrite, realSleep } = given;
    const write = (name: 'out' | 'err') => (text: string) => {
      told[name] += text;
      onWrite?.(text);
      return Promise.resolve();
    };
    return {
      env: { CORE_CONFIG: config, ...env },
      platform: 'linux',
      hostName: 'laptop',
      out: { write: write('out'), isTerminal: outIsTerminal },
      err: { write: write('err'), isTerminal },
      input: {
        isTerminal,
        line: () => Promise.resolve(input === '' ? null : (input.split('\n')[0] ?? null)),
        all: () => Promise.resolve(input),
      },
      clock: {
        now: () => time.begun + time.ms,
        monotonic: () => time.ms,
        sleep: async (ms, signal) => {
          slept.push(ms);
          time.ms += ms;
          await onSleep?.(ms);
          await new Promise((go) => setTimeout(go, realSleep ? Math.min(ms, 50) : 0));
          if (signal?.aborted) return;
        },
      },
      openPage: (url) => {
        opened.push(url);
        return Promise.resolve();
      },
      catchInterrupt: () => {
        interrupt = new AbortController();
        return { signal: interrupt.signal, release: () => {} };
      },
    };
  };

  return {
    config,
    folder,
    time,
    opened,
    slept,
    interrupt: () => interrupt.abort(),
    saved: () => JSON.parse(readFileSync(config, 'utf8')) as SavedFile,
    text: () => readFileSync(config, 'utf8'),
    /** Runs a command; a line is split at its spaces. */
    core: async (line: string | readonly string[], given: TerminalOptions = {}): Promise<Ended> => {
      const told = { out: '', err: '' };
      const argv = typeof line === 'string' ? line.split(' ').filter((word) => word !== '') : line;
      const exit = await run(argv, ioOf({ ...options, ...given }, told), given.called);
      return { exit, ...told };
    },
    clean: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export type Terminal = ReturnType<typeof terminal>;

interface SavedFile {
  readonly current?: string;
  readonly contexts?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

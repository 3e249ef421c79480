/** Everything of the outside world that a command touches, so that a spec can stand in for a terminal. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly hostName: string;
  readonly out: Output;
  readonly err: Output;
  readonly input: Input;
  readonly clock: Clock;
  readonly openPage: (url: string) => Promise<void>;
  /** From here on Ctrl-C aborts the signal, instead of ending the program, until it is released. */
  readonly catchInterrupt: () => Interrupt;
}

export interface Output {
  /** Resolves once more may be written. */
  readonly write: (text: string) => Promise<void>;
  readonly isTerminal: boolean;
}

interface Input {
  readonly isTerminal: boolean;
  /** The first line; null where there is none. */
  readonly line: () => Promise<string | null>;
  readonly all: () => Promise<string>;
}

export interface Clock {
  /** ms since the epoch. */
  readonly now: () => number;
  /** ms that go on while the clock of the machine is set. */
  readonly monotonic: () => number;
  /** Resolves after that time, or as soon as the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface Interrupt {
  readonly signal: AbortSignal;
  readonly release: () => void;
}

import type { AppSpec } from '../../crds/coreApp.ts';

export type FunctionSource = NonNullable<AppSpec['source']['function']>;
export type Runtime = FunctionSource['runtime'];

/** What a runtime runs a function with: an image, the program that starts a file, and the files by their names. */
export interface RuntimeFiles {
  readonly image: string;
  readonly program: readonly string[];
  /** Serves the function. */
  readonly runner: string;
  /** Calls it for a schedule. */
  readonly caller: string;
  /** The code of the person; Bun reads TypeScript too. */
  readonly code: string;
}

const javascript = { runner: 'runner.mjs', caller: 'call.mjs' } as const;

export const runtimes: Readonly<Record<Runtime, RuntimeFiles>> = {
  bun: { ...javascript, image: 'docker.io/oven/bun:1', program: ['bun'], code: 'code.ts' },
  node: { ...javascript, image: 'docker.io/library/node:22-alpine', program: ['node'], code: 'code.js' },
  python: {
    image: 'docker.io/library/python:3.12-alpine',
    program: ['python3', '-u'],
    runner: 'runner.py',
    caller: 'call.py',
    code: 'code.py',
  },
};

import type { AppSpec } from '../../crds/coreApp.ts';

export type FunctionSource = NonNullable<AppSpec['source']['function']>;
export type Runtime = FunctionSource['runtime'];

/** The parts of a runtime: an image, the program that starts a file, and the files by name. */
export interface RuntimeFiles {
  readonly image: string;
  readonly program: readonly string[];
  /** Serves the function. */
  readonly runner: string;
  /** Calls it for a schedule. */
  readonly caller: string;
  /** The user's code; Bun also reads TypeScript. */
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

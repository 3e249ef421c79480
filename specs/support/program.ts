import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What node is given to run a source of the specs: the bundle that this run has of it, or the source itself. */
export function programOf(location: URL): readonly string[] {
  const source = fileURLToPath(location);
  const bundles = process.env['CORE_SPEC_BUNDLES'];
  const bundle = join(bundles ?? '', relative(root, source).replace(/\.ts$/, '.mjs'));
  return bundles !== undefined && existsSync(bundle)
    ? [join(root, 'specs/launch.mjs'), source, bundle]
    : ['--import', 'tsx', source];
}

/** Starts a source of the specs as a process that is spoken with. */
export function forkProgram(location: URL): ChildProcess {
  const [first = '', ...rest] = programOf(location);
  return first === '--import'
    ? fork(rest[1] ?? '', [], { execArgv: ['--import', 'tsx'] })
    : fork(first, rest, { execArgv: [] });
}

import type { Test } from 'uvu';

/** The tests of a suite that needs what this machine may lack: skipped, and why is said, when it does. */
export function unless<T>(suite: Test<T>, missing: string | null): Pick<Test<T>, 'skip'>['skip'] {
  if (missing !== null) process.stdout.write(`skipped: ${missing}\n`);
  return (name, test) => {
    if (missing !== null) suite.skip(name, test);
    else if (name !== undefined && test !== undefined) suite(name, test);
  };
}

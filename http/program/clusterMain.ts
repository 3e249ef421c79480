import { setFlagsFromString } from 'node:v8';
import { runCluster } from './cluster.ts';
import { runProgram } from './program.ts';

/**
 * V8 would let the heap grow to several times what is in use before it collects: most of that would be changes that the
 * store kept for its watches and has dropped. The young generation stays as large as the start made it.
 */
const smallHeaps = ['--heap-growing-percent=40', '--semi-space-growth-factor=1'];

// The embedded cluster alone: the operator, its machines and the dashboard are in a bundle that is not loaded then.
runProgram({
  run: (settings, _, lastResort) => {
    for (const flag of smallHeaps) setFlagsFromString(flag);
    return runCluster(settings, lastResort);
  },
});

import { drainByRuntime, drainByBareLoop } from './specs/bench/drain.ts';
console.log(process.argv[2] === 'bare' ? await drainByBareLoop(1500) : await drainByRuntime(1500)); process.exit(0);

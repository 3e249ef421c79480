import { runBackup } from './program/backup.ts';
import { runProgram } from './program/program.ts';

runProgram({
  // Loaded only where it runs: a backup starts sooner without it.
  run: async (settings, held, lastResort) => (await import('./program/all.ts')).runAll(settings, held, lastResort),
  backup: runBackup,
});

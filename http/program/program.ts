import { plainLines } from '../cli/text/plain.ts';
import type { runBackup } from './backup.ts';
import { startFailureMessage } from './startFailure.ts';
import { inDataDir } from './dataDir.ts';
import type { HeldDataDir } from './heldDataDir.ts';
import { type LastResort, installLastResort } from './lastResort.ts';
import type { Running } from './running.ts';
import { BadSetting, type Settings, settingsOf } from './settings.ts';
import { usage } from './usage.ts';
import { logLine } from '../../runtime/services/log.ts';
import { isPodmanHere } from '../../runtime/local/podmanHere.ts';
import { isProgramHere } from '../../runtime/local/programHere.ts';

const stopWithinMs = 9_500;

type End = (code: 0 | 1, how?: 'drains' | 'at once') => void;

/** Drains where asked to, stops and exits; a second call, or a stop that takes too long, exits at once. */
function endOf({ stop, drain = () => Promise.resolve() }: Running): End {
  let stopping = false;
  const stopInTime = () => {
    setTimeout(() => {
      logLine('error', 'failed to stop in time', { withinMs: stopWithinMs });
      process.exit(1);
    }, stopWithinMs).unref();
    return stop();
  };
  return (code, how = 'at once') => {
    if (stopping) process.exit(1);
    stopping = true;
    const drained = how === 'drains' ? drain() : Promise.resolve();
    drained.then(stopInTime).then(
      () => process.exit(code),
      (error: unknown) => {
        logLine('error', 'failed to stop cleanly', { error: String(error) });
        process.exit(1);
      },
    );
  };
}

/** SIGTERM lets a process in a cluster serve on for a moment, SIGINT does not. */
function endOnSignal(end: End): void {
  const onSignal = (signal: string) => {
    logLine('info', 'stopping', { signal });
    end(0, signal === 'SIGTERM' ? 'drains' : 'at once');
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

const asksForHelp = (command: string | undefined, args: readonly string[]): boolean =>
  command === 'help' || [command, ...args].some((arg) => arg === '--help' || arg === '-h');

/** Undefined as long as they were not read. */
let settings: Settings | undefined;

/** Runs the part that the settings name, in the data directory that it holds. */
type RunRole = (settings: Settings, held: HeldDataDir, lastResort: LastResort) => Promise<Running>;

interface Program {
  readonly run: RunRole;
  /** Undefined for a program that only starts. */
  readonly backup?: typeof runBackup;
}

async function main([command, ...args]: readonly string[], { run, backup }: Program): Promise<void> {
  // Files may hold Secrets, keys or code: no other user of this machine may read them.
  process.umask(0o077);
  if (asksForHelp(command, args)) return void process.stdout.write(`${usage()}\n`);
  if (backup && (command === 'backup' || command === 'restore'))
    return void process.stdout.write(`${await backup(command, args)}\n`);
  if (command !== 'start')
    throw new BadSetting(command === undefined ? usage() : `unknown command "${command}"\n${usage()}`);
  const given = settingsOf(args, process.env);
  settings = given;
  let end: End = (code) => process.exit(code);
  const lastResort = installLastResort({ giveUp: () => end(1) });
  end = endOf(await inDataDir(given.dataDir, (held) => run(given, held, lastResort)));
  endOnSignal(end);
  process.stdout.write('ready\n');
  if (given.kubeconfig !== undefined) return;
  if (!isProgramHere('git'))
    process.stdout.write('git is not on this machine: pushes to the Git host will fail until it is installed\n');
  if (given.nodes === 'simulated' && (await isPodmanHere()))
    process.stdout.write('podman is on this machine: CORE_NODES=podman runs pods in real containers\n');
}

/** Runs the program by the arguments of this process, which exits by itself. */
export function runProgram(program: Program): void {
  main(process.argv.slice(2), program).catch(fail);
}

function fail(error: unknown): void {
  const complaint = startFailureMessage(error, settings);
  if (complaint !== null) process.stderr.write(`${plainLines(complaint)}\n`);
  else
    logLine('error', 'failed to start', {
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  process.exit(complaint === null ? 1 : 2);
}

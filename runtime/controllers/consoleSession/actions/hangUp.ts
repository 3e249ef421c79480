import { Effect, Schedule } from 'effect';
import type { CoreConsoleSession } from '../../../../crds/coreConsoleSession.ts';
import { hangUpLeftCommand, isPlainShell } from '../../../../rules/consoleSession/start.ts';
import { targetNamespace } from '../../../../rules/consoleSession/target.ts';
import { Unavailable, type Name } from '../../../services/cluster/cluster.ts';
import { Exec, type ExecStream } from '../../../services/exec.ts';

const tryWithinMs = 5_000;
const withinMs = 15_000;
/** Retries, because the shells still exist when the cluster comes back. */
const again = Schedule.spaced('500 millis');

/** Waits for the end of a command. */
const ofStream = (stream: ExecStream) =>
  Effect.callback<void, Unavailable>((resume) => {
    stream.listen({
      output: () => {},
      drained: () => {},
      ended: (end) => resume(end.is === 'lost' ? Effect.fail(new Unavailable({ message: end.why })) : Effect.void),
    });
    return Effect.sync(stream.close);
  });

/** Runs a command that hangs up a shell; gives up after a while, because nothing else can reach the shell either. */
export const hangUpBy = (pod: Name, container: string, command: readonly string[]): Effect.Effect<void, never, Exec> =>
  Effect.flatMap(Exec, (exec) => exec.open(pod, { container, command, interactive: false })).pipe(
    Effect.flatMap(ofStream),
    Effect.timeout(tryWithinMs),
    Effect.retry({ schedule: again, while: ({ _tag }) => _tag !== 'NotFound' && _tag !== 'Refused' }),
    Effect.timeout(withinMs),
    Effect.ignore,
  );

/** Hangs up the shell of a dead process: its process id is lost, but its environment names its holder. */
export const hangUpLeft = ({ spec }: CoreConsoleSession, holder: string): Effect.Effect<void, never, Exec> => {
  if (!isPlainShell(spec.command ?? [])) return Effect.void;
  const pod = { name: spec.pod, namespace: targetNamespace(spec) };
  return hangUpBy(pod, spec.container, hangUpLeftCommand(holder));
};

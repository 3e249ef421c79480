import { Effect } from 'effect';
import type { CoreConsoleSession } from '../../crds/coreConsoleSession.ts';
import { hangUpLeftCommand, isPlainShell } from '../../rules/consoleSession/start.ts';
import { targetNamespace } from '../../rules/consoleSession/target.ts';
import type { Name } from '../services/cluster.ts';
import { Exec, type ExecStream } from '../services/exec.ts';

const withinMs = 5_000;

/** Waits for the end of a command. */
const ofStream = (stream: ExecStream) =>
  Effect.callback<void>((resume) => {
    stream.listen({ output: () => {}, drained: () => {}, ended: () => resume(Effect.void) });
    return Effect.sync(stream.close);
  });

/** Runs a command that hangs a shell up; where it cannot be run, nobody can reach that shell. */
export const hangUpBy = (pod: Name, container: string, command: readonly string[]): Effect.Effect<void, never, Exec> =>
  Effect.flatMap(Exec, (exec) => exec.open(pod, { container, command, interactive: false })).pipe(
    Effect.flatMap(ofStream),
    Effect.timeout(withinMs),
    Effect.ignore,
  );

/** Hangs up the shell of a process that died: nobody knows its process id any more, but its environment names its holder. */
export const hangUpLeft = ({ spec }: CoreConsoleSession, holder: string): Effect.Effect<void, never, Exec> => {
  if (!isPlainShell(spec.command ?? [])) return Effect.void;
  const pod = { name: spec.pod, namespace: targetNamespace(spec) };
  return hangUpBy(pod, spec.container, hangUpLeftCommand(holder));
};

import { Writable } from 'node:stream';
import { Effect } from 'effect';
import { at, listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { exitStatus } from '../../../runtime/embedded/api/streaming/exitStatus.ts';
import { checkRuns } from '../../../runtime/embedded/api/verbs/exec.ts';
import { containerOf, containerStatusOf } from '../../../runtime/embedded/api/verbs/podContainer.ts';
import { isProgram } from '../../../runtime/embedded/nodes/shell/interpreter.ts';
import { notStarted, notThere } from '../../../runtime/embedded/nodes/shell/notStarted.ts';
import { simulatedExec } from '../../../runtime/embedded/nodes/shell/simulated.ts';
import type { Store, Stored } from '../../../runtime/embedded/store.ts';
import type { ReadError } from '../../../runtime/services/cluster/cluster.ts';
import type { ExecEnd } from '../../../runtime/services/exec.ts';
import { endOf } from '../../../runtime/services/kube/execStream.ts';
import { ofRead } from '../../../runtime/services/kube/failure.ts';
import { refusalOf } from './refusal.ts';

/** A container that may be entered; one of a pod that was put by hand without containers, or without what they do, may. */
export const entered = (pod: Stored, asked: string): Effect.Effect<void, ReadError> =>
  Effect.try({
    try: () => {
      if (listAt(pod, 'spec', 'containers').length === 0) return;
      const container = containerOf(pod, new URLSearchParams({ container: asked }));
      if (at(pod, 'status', 'containerStatuses') === undefined) return;
      const spec = { nodeName: 'by-hand', ...(pod['spec'] as object) };
      checkRuns({ ...pod, spec }, container);
    },
    catch: (thrown) => ofRead(refusalOf(thrown)),
  });

/** Why a program is not started; null where it is. */
export const startFault = (program: string): ExecEnd | null =>
  isProgram(program) ? null : endOf(exitStatus({ is: 'failed', why: notStarted(program, notThere(program)) }));

/** Whether a container runs no more that ran, as far as its pod tells. */
export const isKilled = (pod: Stored, container: string): boolean => {
  const status = containerStatusOf(pod, container);
  return status !== undefined && at(status, 'state', 'running') === undefined;
};

/** Nothing is mounted. */
const nothing = { get: () => undefined, list: () => [] } as unknown as Store;
const simulated = simulatedExec(nothing, Date.now);
const deaf = { stdin: null, tty: false, size: () => null, onResize: () => {}, gone: new AbortController().signal };

/** Runs a command that reads nothing, in the shell that the nodes of the embedded cluster simulate. */
export async function plainCommand(
  pod: Stored,
  { container, command }: { readonly container: string; readonly command: readonly string[] },
  say: (text: string) => void,
): Promise<ExecEnd> {
  const output = () =>
    new Writable({
      write: (chunk: Buffer, _, done) => {
        say(chunk.toString());
        done();
      },
    });
  const stdio = { ...deaf, stdout: output(), stderr: output() };
  const name = container || textAt(listAt(pod, 'spec', 'containers')[0], 'name');
  return endOf(exitStatus(await simulated(pod, name, { command, stdio })));
}

import { containerStatusOf } from '../api/verbs/podContainer.ts';
import type { Exit, Stdio } from '../api/podProcesses.ts';
import { textAt } from '../api/json.ts';
import type { Store, Stored } from '../store.ts';
import { bucket } from './shapes.ts';

const killed: Exit = { is: 'exited', code: 137 };

/** Runs something in a container as it runs now: when that run ends, what is left in it is killed. */
export async function whileContainerRuns(
  store: Store,
  { pod, name }: { readonly pod: Stored; readonly name: string },
  stdio: Stdio,
  run: (stdio: Stdio) => Promise<Exit>,
): Promise<Exit> {
  const ended = new AbortController();
  const began = runOf(pod, name);
  const unsubscribe = store.onChange(({ type, bucket: where, object }) => {
    if (where !== bucket.pods || object.metadata.uid !== pod.metadata.uid) return;
    if (type === 'DELETED' || runOf(object, name) !== began) ended.abort();
  });
  try {
    const exit = await run({ ...stdio, gone: AbortSignal.any([stdio.gone, ended.signal]) });
    return ended.signal.aborted ? killed : exit;
  } finally {
    unsubscribe();
  }
}

/** Says which run of a container is under way; empty while none is. */
function runOf(pod: Stored, name: string): string {
  const status = containerStatusOf(pod, name);
  const startedAt = textAt(status, 'state', 'running', 'startedAt');
  return startedAt === '' ? '' : `${textAt(status, 'containerID')} ${startedAt}`;
}

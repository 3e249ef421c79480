import { at, textAt } from '../../api/json.ts';
import { label } from './labels.ts';
import { type Libpod, jsonLines } from './libpod.ts';

/** What happened to a container of a pod. */
export interface ContainerChange {
  readonly uid: string;
  readonly id: string;
  /** Whether it is a container of the pod, and no infrastructure of podman's. */
  readonly isContainer: boolean;
  /** With which code it ended, where that is what happened. */
  readonly exitCode: number | null;
}

interface Listening {
  readonly podman: Libpod;
  readonly cluster: string;
  readonly changed: (change: ContainerChange) => Promise<void>;
  /** Sees to it that podman answers again. */
  readonly revive: () => Promise<void>;
  /** There may be a gap: everything is to be read anew. */
  readonly reload: () => Promise<void>;
  readonly failed: (why: unknown, times: number) => void;
}

const telling = ['start', 'died', 'remove'];
const longestWaitMs = 10_000;

/** Hears of containers as podman tells of them; whenever the stream was interrupted, everything is read first. */
export function listen({ podman, cluster, changed, revive, reload, failed }: Listening): () => void {
  const gone = new AbortController();
  let failures = 0;

  async function once() {
    const filters = JSON.stringify({ label: [`${label.cluster}=${cluster}`], event: telling });
    // From a second before: podman counts in seconds, and what is told twice does no harm.
    const since = String(Math.floor(Date.now() / 1_000) - 1);
    const query = { stream: 'true', since, filters };
    const response = await podman.stream({ method: 'GET', path: '/events', query, gone: gone.signal });
    await reload();
    failures = 0;
    for await (const event of jsonLines(response)) await heard(event);
  }

  async function heard(event: unknown) {
    const attributes = (at(event, 'Actor', 'Attributes') ?? {}) as Record<string, string>;
    const uid = attributes[label.uid];
    if (uid === undefined) return;
    const code = textAt(event, 'Action') === 'died' ? attributes['containerExitCode'] : undefined;
    await changed({
      uid,
      id: textAt(event, 'Actor', 'ID'),
      isContainer: attributes[label.container] !== undefined,
      exitCode: code === undefined ? null : Number(code),
    });
  }

  async function run() {
    while (!gone.signal.aborted) {
      try {
        if (failures > 0) await revive();
        await once();
      } catch (why) {
        if (gone.signal.aborted) return;
        failures += 1;
        failed(why, failures);
      }
      if (!gone.signal.aborted) await pause(Math.min(longestWaitMs, 100 * 2 ** failures));
    }
  }

  const pause = (ms: number) =>
    new Promise<void>((done) => {
      const timer = setTimeout(done, ms);
      gone.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        done();
      });
    });

  void run();
  return () => gone.abort();
}

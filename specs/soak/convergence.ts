import { Effect } from 'effect';
import { apps, builds } from '../../runtime/services/cluster/kinds.ts';
import { until } from '../support/until.ts';
import { openConsoles } from './consoleFaults.ts';
import type { SoakProcesses } from './processes.ts';
import type { Violation } from './violations.ts';
import type { Ledger, Service } from './ledger.ts';
import type { Pushes } from './pushes.ts';
import { writesWhileQuiet } from './quiet.ts';
import type { Timeline } from './timeline.ts';

export interface Convergence {
  readonly processes: SoakProcesses;
  readonly ledger: Ledger;
  readonly timeline: Timeline;
  /** Null where there is no git on the machine. */
  readonly pushes: Pushes | null;
  /** Commits whose push an operator has acknowledged. */
  readonly told: ReadonlySet<string>;
}

const withinMs = 120_000;
const toldWithinMs = 10_000;
const stableMs = 3_000;
const ended: readonly (string | undefined)[] = ['Succeeded', 'Failed', 'Cancelled'];
const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name).join();
const pause = (ms: number) => new Promise((go) => setTimeout(go, ms));

/** One thing that must come, and how to say that it did not. */
interface Due {
  readonly comes: () => boolean | Promise<boolean>;
  readonly missing: () => readonly [what: string, ...about: readonly string[]];
}

/** After the faults: everybody is up, every service is pushed to once more and told of, every build ends, then nobody writes. */
export async function comesToRest(convergence: Convergence): Promise<readonly Violation[]> {
  // A push that comes while a changed service is not looked at yet is of the build it had before.
  const dues = [isUp, servicesStand, pushed, allEnd, terminalsEnd, nobodyWrites].map((due) => due(convergence));
  for (const { comes, missing } of dues) {
    const came = until(() => Promise.resolve(comes()).catch(() => false), '', withinMs);
    const isThere = await came.catch(() => false);
    const [what, ...about] = missing();
    convergence.timeline.tell('rest', `${isThere ? 'came' : 'missing'}: ${what}`);
    if (isThere) continue;
    return [{ text: `not within ${withinMs / 1_000} s after the faults: ${what}`, about }];
  }
  return [];
}

function isUp({ processes }: Convergence): Due {
  const missing = () => [processes.cluster, ...processes.operators].filter(({ isReady }) => !isReady());
  return {
    comes: () => missing().length === 0,
    missing: () => [`every part is ready, but for ${names(missing()) || 'none'}`],
  };
}

/** No service is written for a while. */
function servicesStand({ processes, ledger }: Convergence): Due {
  const versions = async () =>
    (await Effect.runPromise(processes.direct.list(apps))).items.map(({ metadata }) => metadata.resourceVersion).join();
  return {
    comes: async () => {
      const before = await versions();
      await pause(stableMs);
      return before === (await versions());
    },
    missing: () => ['services stand still', ...ledger.services.keys()],
  };
}

/** Every service is pushed to, again and again until an operator was told of the push. */
function pushed({ ledger, pushes, told }: Convergence): Due {
  const untold = new Set(pushes ? ledger.services.values() : []);
  const push = async (service: Service) => {
    const { commit, outcome } = (await pushes?.push(service.name)) ?? {};
    if (commit === undefined || outcome?.is !== 'done') return;
    service.heads = [commit];
    await until(() => told.has(commit), 'the push is told of', toldWithinMs);
    untold.delete(service);
  };
  return {
    comes: async () => {
      await Promise.allSettled([...untold].map(push));
      return untold.size === 0;
    },
    missing: () => [
      `an operator is told of every push, but for ${[...untold].map(({ name, heads }) => `${heads.join()} to ${name}`).join() || 'none'}`,
      ...[...untold].map(({ name }) => name),
    ],
  };
}

/** Every build ends, and the current build of every service is of the commit pushed last. */
function allEnd({ processes, ledger }: Convergence): Due {
  let going: readonly string[] = [];
  let behind: readonly string[] = [];
  return {
    comes: async () => {
      const [{ items: found }, { items }] = await Promise.all([
        Effect.runPromise(processes.direct.list(apps)),
        Effect.runPromise(processes.direct.list(builds)),
      ]);
      going = items.filter(({ status }) => !ended.includes(status?.phase)).map(({ metadata }) => metadata.name);
      behind = [...ledger.services.values()].flatMap(({ name, heads }) => {
        const current = found.find(({ metadata }) => metadata.name === name)?.status?.currentBuild;
        const status = items.find(({ metadata }) => metadata.name === current)?.status;
        return status?.sourceRevision === heads[0] && status?.phase === 'Succeeded' ? [] : [name];
      });
      if (going.length + behind.length === 0) return true;
      await pause(300);
      return false;
    },
    missing: () => [
      `every build ends, but for ${[...going, ...behind.map((name) => `what was pushed to ${name}`)].join() || 'none'}`,
      ...going,
      ...behind,
    ],
  };
}

/** Every session ends, and nothing runs in a container that was entered. */
function terminalsEnd({ processes }: Convergence): Due {
  let open: readonly string[] = [];
  return {
    comes: async () => {
      open = await openConsoles(processes);
      if (open.length === 0) return true;
      await pause(300);
      return false;
    },
    missing: () => [`every terminal ends, but for ${open.join() || 'none'}`],
  };
}

/** What follows from the end of a build, as the status of its service, is written too. */
function nobodyWrites({ processes }: Convergence): Due {
  let written: readonly Violation[] = [];
  return {
    comes: async () => {
      written = await writesWhileQuiet(processes.direct, stableMs);
      return written.length === 0;
    },
    missing: () => [
      `nobody writes, but for ${written.map(({ text }) => text).join() || 'none'}`,
      ...written.flatMap(({ about }) => about),
    ],
  };
}

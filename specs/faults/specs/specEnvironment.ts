import { Effect } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import { kindOf } from '../../../crds/kinds.ts';
import { objectStores } from '../../../runtime/services/cluster/kinds.ts';
import { resourceOf } from '../../../runtime/services/cluster/resources.ts';
import type { Resource, WriteError } from '../../../runtime/services/cluster/cluster.ts';
import { startOperator } from '../../../runtime/start.ts';
import { nodesOf } from '../../runtime/controllers/build/nodes.ts';
import { virtualTime } from '../../support/virtualTime.ts';
import { makeTestEnvironment, type TestEnvironment } from '../../support/environment.ts';
import { withLog } from '../environment/logged.ts';
import { type Snapshot, snapshotOf } from '../environment/snapshot.ts';
import { type ActedOn, furnish } from './platform.ts';

const start = Date.UTC(2027, 0, 1);
/** Shorter than the lifetime of a token, because the effects of time alone are the plans' concern. */
const quietMs = 120_000;
const mostTurns = 400;

/** The running platform, and one kind whose objects are written. */
export interface SpecEnvironment {
  readonly environment: TestEnvironment;
  readonly resource: Resource;
  /** Runs until everything has converged; returns the violations found. */
  readonly rest: (mostPasses: number) => Promise<readonly string[]>;
  readonly snapshot: () => Snapshot;
  readonly object: (name: string) => KubeObject | undefined;
  /** Performs a write as a user of kubectl; null when it was accepted. */
  readonly write: (write: Effect.Effect<unknown, WriteError>) => WriteError | null;
  readonly end: () => Promise<void>;
}

export async function makeSpecEnvironment(kind: ActedOn): Promise<SpecEnvironment> {
  const time = virtualTime(start);
  const environment = makeTestEnvironment({ now: time.wall, alsoSeen: [objectStores] });
  const { cluster } = environment;
  const resource: Resource = resourceOf(kindOf(kind));
  let writes = 0;
  cluster.onChange(() => void writes++);
  furnish(environment, kind);
  const nodes = nodesOf(environment, () => ({ is: 'pushes', by: 'message' }));
  const started = await time.wait(
    startOperator(withLog(time.over(environment.services), environment.logged), environment.options),
  );

  const restWithin: SpecEnvironment['rest'] = async (mostPasses) => {
    const before = environment.metrics.passes();
    let quietSince = time.now();
    for (let turn = 0; turn < mostTurns; turn++) {
      const written = writes;
      await time.settle();
      const acted = nodes.act(time.now()) !== null;
      if (acted || writes !== written) quietSince = time.now();
      if (acted) continue;
      const passes = environment.metrics.passes() - before;
      if (passes > mostPasses) return [`took more than ${mostPasses} passes`];
      if (time.now() - quietSince >= quietMs) return [];
      await time.moveTo(Math.min(time.next() ?? Infinity, nodes.nextAt(), quietSince + quietMs));
    }
    return ['never comes to rest'];
  };

  return {
    environment,
    resource,
    rest: (mostPasses) => restWithin(mostPasses).catch((thrown: unknown) => [String(thrown)]),
    snapshot: () => snapshotOf(environment),
    object: (name) => cluster.all(resource).find(({ metadata }) => metadata.name === name),
    write: (write) => Effect.runSync(Effect.match(write, { onSuccess: () => null, onFailure: (failure) => failure })),
    end: () => time.wait(started.crash()),
  };
}

import { Stream, Effect } from 'effect';
import { historyOf } from '../../runtime/step/history.ts';
import { builds } from '../../runtime/services/cluster/kinds.ts';
import { leads, startReplicas } from '../support/replicas.ts';
import { run } from '../support/product.ts';
import { until } from '../support/until.ts';
import { userBuild } from '../support/environment.ts';
import { follow } from './follow.ts';

export interface Failover {
  readonly leaseMs: number;
  /** From the kill of the leader to what the stand-by's first pass wrote, in each round. */
  readonly tookMs: readonly number[];
}

const leaseSeconds = 5;

/** Kills the leader of two operators again and again, each time at another moment between two renewals. */
export async function failoverFigures(rounds = 3): Promise<Failover> {
  const replicas = await startReplicas(leaseSeconds);
  const { cluster } = replicas.cluster;
  const tookMs: number[] = [];
  try {
    let leader = await replicas.enter();
    for (let round = 0; round < rounds; round++) {
      await until(() => leads(leader), 'somebody leads', 30_000);
      const standBy = await replicas.enter();
      await new Promise((later) => setTimeout(later, 1_000 + round * 250));
      const name = `failover-${round}`;
      const moved = Effect.runPromise(
        follow(cluster, builds).pipe(
          Stream.filter((change) => change.type !== 'bookmark' && change.object.metadata.name === name),
          Stream.takeUntil((change) => change.type === 'modified' && historyOf(change.object).length > 0),
          Stream.runDrain,
        ),
      );
      await leader.end('SIGKILL');
      const killedAt = performance.now();
      await run(cluster.create(builds, userBuild(name, { app: name })));
      await moved;
      tookMs.push(performance.now() - killedAt);
      leader = standBy;
    }
  } finally {
    await replicas.end();
  }
  return { leaseMs: leaseSeconds * 1_000, tookMs };
}

import { Effect } from 'effect';
import { builds } from '../../runtime/services/cluster/kinds.ts';
import { historyOf } from '../../runtime/step/history.ts';
import { until } from '../support/until.ts';
import { userBuild } from '../support/environment.ts';
import type { SoakProcesses } from './processes.ts';
import type { Leases } from './leases.ts';
import type { Ledger } from './ledger.ts';

export interface FailingOver {
  readonly processes: SoakProcesses;
  readonly ledger: Ledger;
  readonly leases: Leases;
  readonly times: number;
}

const patienceMs = 60_000;

/** With nothing else disturbed, from the death of the leader to the first move of another process, in ms. */
export async function failOverMs({ processes, ledger, leases, times }: FailingOver): Promise<readonly number[]> {
  const took: number[] = [];
  for (let index = 0; index < times && processes.operators.length > 1; index++) {
    await until(() => processes.operators.every(({ isReady }) => isReady()), 'every operator is ready', patienceMs);
    const leader = await until(leases.leader, 'somebody leads', patienceMs);
    const name = `well-after-${index}`;
    const read = async () => Effect.runPromise(processes.direct.get(builds, { name }));
    const diedAt = Date.now();
    leader.kill();
    const { metadata } = await Effect.runPromise(processes.direct.create(builds, userBuild(name, { app: name })));
    const { uid = null } = metadata;
    ledger.userBuilds.set(name, { name, ends: 'well', exists: 'yes', uid, recipes: [''], mayBeCancelled: false });
    const first = await until(async () => historyOf(await read()).at(0), 'another process makes a pass', patienceMs);
    took.push(Date.parse(first.at) - diedAt);
    await until(async () => (await read()).status?.phase === 'Succeeded', `${name} ends well`, patienceMs);
  }
  return took;
}

import { Context } from 'effect';
import { builds, connections } from '../../runtime/services/cluster/kinds.ts';
import { Cluster } from '../../runtime/services/cluster/cluster.ts';
import { Metrics } from '../../runtime/services/metrics.ts';
import { systemNamespace } from '../../crds/names.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { virtualTime } from '../support/virtualTime.ts';
import { userBuild, makeTestEnvironment } from '../support/environment.ts';
import { counted } from './counted.ts';
import { compared, letPass } from './idling.ts';

export interface IdleFigures {
  /** What was written in ten minutes in which nothing happened. */
  readonly writes: readonly string[];
  /** What was read from the API meanwhile, but for the one list that each cache is compared with. */
  readonly reads: readonly string[];
  readonly compared: number;
  /** Passes meanwhile: without any there would be nothing to count. */
  readonly passes: number;
  /** The states in which objects stood. */
  readonly states: readonly string[];
}

/** Until what just began has come to rest. */
const beginsMs = 120_000;
const idleMs = 600_000;
const eachState = 20;

/** Ten minutes of virtual time over builds of every state that can last, with the real operator. */
export async function idleFigures(): Promise<IdleFigures> {
  const environment = makeTestEnvironment();
  const time = virtualTime();
  const { cluster, writes, reads } = counted(environment.cluster);
  let passes = 0;
  const metrics = Context.get(environment.services, Metrics);
  const services = environment.services.pipe(
    Context.add(Cluster, cluster),
    Context.add(Metrics, { ...metrics, passed: () => void passes++ }),
  );
  fill(environment);
  const { operator, stop } = await time.wait(environment.start(undefined, time.over(services)));
  await letPass(time, beginsMs);
  end(environment);
  await letPass(time, beginsMs);
  const before = { writes: writes.length, reads: reads.length, passes };
  await letPass(time, idleMs);
  const read = compared(reads.slice(before.reads), operator.caches);
  const figures = {
    writes: writes.slice(before.writes),
    reads: read.others,
    compared: read.comparisons.length,
    passes: passes - before.passes,
    states: [...new Set(environment.cluster.all(builds).map(({ status }) => status?.phase ?? 'Pending'))].toSorted(),
  };
  await time.wait(stop());
  return figures;
}

/** Some builds run, some wait for checks that never end, some for a connection that is not there, some were ended. */
function fill({ cluster, git }: ReturnType<typeof makeTestEnvironment>): void {
  git.checks = { is: 'found', value: [{ name: 'test', status: 'in_progress', conclusion: null }] };
  cluster.put(secrets, {
    metadata: { name: 'git-token', namespace: systemNamespace },
    data: { token: Buffer.from('a-token').toString('base64') },
  });
  cluster.put(connections, {
    metadata: { name: 'git', namespace: systemNamespace },
    spec: { project: 'demo', secretRef: { name: 'git-token' } },
  });
  for (let number = 0; number < eachState; number++) {
    const make = (kind: string, spec: Parameters<typeof userBuild>[1] = {}) =>
      cluster.put(builds, userBuild(`${kind}-${number}`, { app: `${kind}-${number}`, ...spec }));
    make('running');
    make('ended');
    make('refused', { registry: '' });
    make('unconnected', { connectionRef: { name: 'absent' } });
    make('checked', { waitForCI: true, connectionRef: { name: 'git' } });
  }
}

function end({ endJob }: ReturnType<typeof makeTestEnvironment>): void {
  for (let number = 0; number < eachState; number++)
    endJob(`ended-${number}`, number % 2 === 0 ? 'Complete' : 'Failed');
}

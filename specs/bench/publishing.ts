import { type CoreApp, coreApp } from '../../crds/coreApp.ts';
import { typeMeta } from '../../crds/kind.ts';
import { apps } from '../../runtime/services/cluster/kinds.ts';
import { inSystem } from '../support/project.ts';
import type { TestEnvironment } from '../support/environment.ts';
import { platformSession, putCredentials, putGround } from '../runtime/controllers/platform/session.ts';

const putHost = ({ cluster }: TestEnvironment, name: string, host = `${name}.example.org`) =>
  void cluster.put<CoreApp>(apps, {
    ...typeMeta(coreApp),
    metadata: inSystem(name),
    spec: {
      project: 'shop',
      environment: 'production',
      source: { image: 'nginx:1' },
      networking: { host },
      deploy: { enabled: true },
    },
  });

/** A platform that publishes this many services through a tunnel, at rest. */
async function published(count: number) {
  const live = await platformSession(
    { rootDomain: 'example.org', dnsConnectionRef: { name: 'platform-dns' }, dashboardExposure: 'tunnel' },
    (environment) => {
      putGround(environment);
      putCredentials(environment);
      for (let at = 0; at < count; at++) putHost(environment, `s${at}`);
    },
  );
  live.environment.reach.probe = { is: 'answers' };
  await live.pass(60);
  if (live.records().length !== count + 1) throw new Error(`${live.records().length} records for ${count} hosts`);
  return live;
}

/** The calls to the provider that one changed host costs. */
export async function changedHost(count: number): Promise<readonly string[]> {
  const live = await published(count);
  const before = live.environment.dnsProvider.changes().length;
  await live.edit((environment) => putHost(environment, 's7', 'moved.example.org'));
  await live.pass(30);
  const calls = live.environment.dnsProvider.changes().slice(before);
  await live.end();
  return calls;
}

/** What happens in ten minutes in which nothing changes. */
export async function idlePublishing(count: number) {
  const live = await published(count);
  const { cluster, dnsProvider } = live.environment;
  let writes = 0;
  cluster.onChange(({ kind }) => void (writes += kind === 'Lease' ? 0 : 1));
  const before = { changes: dnsProvider.changes().length, calls: dnsProvider.calls.length };
  await live.pass(600);
  const figures = {
    writes,
    changes: dnsProvider.changes().length - before.changes,
    reads: dnsProvider.calls.length - before.calls,
  };
  await live.end();
  return figures;
}

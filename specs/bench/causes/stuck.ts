import type { AppSpec } from '../../../crds/coreApp.ts';
import { appController } from '../../../runtime/controllers/app/controller.ts';
import { apps } from '../../../runtime/services/cluster/kinds.ts';
import { type Copy, putCopies } from './copies.ts';
import { putOpen, virtualRun } from './virtual.ts';

export interface StuckFigures {
  readonly writes: readonly string[];
  readonly passes: number;
  /** The worst cause of the services, each once. */
  readonly reasons: readonly string[];
  /** Services without a cause. */
  readonly without: number;
}

const ended = (exitCode: number, reason: string) => ({
  lastState: { terminated: { exitCode, reason, message: 'boom', finishedAt: '2027-01-01T00:00:30Z' } },
});
const waiting = (reason: string, more: object = {}): Copy => ({
  container: { restartCount: 3, state: { waiting: { reason, message: 'it does not start' } }, ...more },
  isAvailable: false,
});

interface Stuck {
  readonly spec?: Partial<AppSpec>;
  readonly copy?: Copy;
}

/** One for each thing that a service waits for or suffers from without an end. */
const kinds: Readonly<Record<string, Stuck>> = {
  crashes: { copy: waiting('CrashLoopBackOff', ended(1, 'Error')) },
  killed: { copy: waiting('CrashLoopBackOff', ended(137, 'OOMKilled')) },
  unpulled: { copy: waiting('ImagePullBackOff') },
  unconfigured: { copy: waiting('CreateContainerConfigError') },
  creating: { copy: waiting('ContainerCreating') },
  unready: { copy: { container: { state: { running: { startedAt: '2027-01-01T00:01:00Z' } } }, isAvailable: false } },
  unnamed: { spec: { secretRefs: [{ name: 'absent' }] } },
  unbuilt: {
    spec: {
      source: { git: { repository: 'shop/web', waitForCI: false } },
      build: { registry: { repository: 'registry.example/web' }, cache: true },
    },
  },
  elsewhere: { spec: { project: 'absent' } },
  unserved: { spec: { connectionRefs: [{ kind: 'CoreDatabase', name: 'absent', variable: 'URL', key: 'uri' }] } },
};

/** Longer than five counted failures take, and shorter than the Events of causes are counted anew. */
const beginsMs = 1_080_000;
const stuckMs = 600_000;

/** Ten minutes over services that stand still for one reason each. */
export async function stuckFigures(count: number): Promise<StuckFigures> {
  const all = Object.entries(kinds);
  const kindOf = (name: string) => name.split('-')[0] ?? '';
  const { environment, pass, passes, writes, end } = await virtualRun(
    [appController({ gitUrl: 'https://git.example' })],
    (made) => {
      for (let at = 0; at < count; at++) {
        const [kind, { spec = {} }] = all[at % all.length] ?? ['', {}];
        putOpen(made, `${kind}-${at}`, spec);
      }
    },
  );
  await pass(60_000);
  putCopies(environment, (name) => kinds[kindOf(name)]?.copy ?? waiting('ContainerCreating'));
  await pass(beginsMs);
  const sum = () => [...passes.values()].reduce((total, one) => total + one, 0);
  const before = { writes: writes.length, passes: sum() };
  await pass(stuckMs);
  const causes = environment.cluster.all(apps).map(({ status }) => status?.causes?.[0]?.reason);
  const figures = {
    writes: writes.slice(before.writes),
    passes: sum() - before.passes,
    reasons: [...new Set(causes.filter((reason) => reason !== undefined))].toSorted(),
    without: causes.filter((reason) => reason === undefined).length,
  };
  await end();
  return figures;
}

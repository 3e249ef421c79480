import type { KubeObject } from '../../../crds/kind.ts';
import { appController } from '../../../runtime/controllers/app/controller.ts';
import { events } from '../../../runtime/services/cluster/resources.ts';
import { crashLoop } from '../../support/crashLoop.ts';
import { putCopies, runs } from './copies.ts';
import { putOpen, virtualRun } from './virtual.ts';

export interface CrashFigures {
  readonly runsForMs: number;
  readonly ends: number;
  readonly statusWrites: number;
  readonly warnings: readonly string[];
}

/** A service that was Ready and whose program ends again and again for ten minutes, with the delays of a kubelet. */
export async function crashFigures(runsForMs: number): Promise<CrashFigures> {
  const { environment, time, pass, writes, end } = await virtualRun(
    [appController({ gitUrl: 'https://git.example' })],
    (made) => putOpen(made, 'web'),
  );
  await pass(60_000);
  putCopies(environment, () => runs);
  await pass(60_000);
  const statusWrites = () => writes.filter((write) => write === 'status of coreapps').length;
  const before = statusWrites();
  const ends = await crashLoop({ environment, time, runsForMs, lastsMs: 600_000 });
  const figures = {
    runsForMs,
    ends,
    statusWrites: statusWrites() - before,
    warnings: environment.cluster
      .all(events)
      .map((event) => event as KubeObject & { readonly type?: string; readonly reason?: string })
      .flatMap(({ type, reason = '' }) => (type === 'Warning' ? [reason] : [])),
  };
  await end();
  return figures;
}

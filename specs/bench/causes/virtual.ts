import { Context } from 'effect';
import { type AppSpec, coreApp } from '../../../crds/coreApp.ts';
import { typeMeta } from '../../../crds/kind.ts';
import { noFindings } from '../../../rules/cause/record.ts';
import type { Controller } from '../../../runtime/contract/controller.ts';
import { apps, everyKind } from '../../../runtime/services/cluster/kinds.ts';
import { Cluster } from '../../../runtime/services/cluster/cluster.ts';
import { putDatabaseEnvironment } from '../../support/database.ts';
import { makeTestEnvironment, type TestEnvironment } from '../../support/environment.ts';
import { inSystem } from '../../support/project.ts';
import { type VirtualTime, virtualTime } from '../../support/virtualTime.ts';
import { counted } from '../counted.ts';
import { letPass } from '../idling.ts';

/** Many services and the operator over them, in virtual time. */
export interface VirtualRun {
  readonly environment: TestEnvironment;
  readonly time: VirtualTime;
  readonly pass: (ms: number) => Promise<void>;
  /** Passes so far, by the name of the object. */
  readonly passes: ReadonlyMap<string, number>;
  readonly writes: readonly string[];
  readonly end: () => Promise<void>;
}

/** Puts a service that runs as it is written. */
export const putOpen = ({ cluster }: TestEnvironment, name: string, spec: Partial<AppSpec> = {}): void =>
  void cluster.put(apps, {
    ...typeMeta(coreApp),
    metadata: { ...inSystem(name), generation: 1 },
    spec: {
      project: 'shop',
      environment: 'production',
      source: { image: 'nginx:1.27' },
      deploy: { enabled: true },
      ...spec,
    },
  });

export async function virtualRun(
  controllers: readonly Controller[],
  fill: (environment: TestEnvironment) => void,
): Promise<VirtualRun> {
  const time = virtualTime(undefined, undefined, Number.POSITIVE_INFINITY);
  const passes = new Map<string, number>();
  const noted = (controller: Controller): Controller => ({
    ...controller,
    causes: (object, deriving) => {
      passes.set(object.metadata.name, (passes.get(object.metadata.name) ?? 0) + 1);
      return controller.causes?.(object, deriving) ?? noFindings;
    },
  });
  const environment = makeTestEnvironment({ now: time.wall, controllers: controllers.map(noted), alsoSeen: everyKind });
  const { cluster, writes } = counted(environment.cluster);
  const services = Context.add(environment.services, Cluster, cluster);
  putDatabaseEnvironment(environment);
  fill(environment);
  const { stop } = await time.wait(environment.start(undefined, time.over(services)));
  return {
    environment,
    time,
    pass: (ms) => letPass(time, ms),
    passes,
    writes,
    end: () => time.wait(stop()),
  };
}

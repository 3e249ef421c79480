import { Effect } from 'effect';
import type { CoreProject, ProjectSpec } from '../../../../crds/coreProject.ts';
import { conditionOf } from '../../../../rules/condition.ts';
import { projectController } from '../../../../runtime/controllers/project/controller.ts';
import { historyOf } from '../../../../runtime/step/history.ts';
import { everyKind } from '../../../../runtime/services/cluster/kinds.ts';
import type { Resource } from '../../../../runtime/services/cluster/cluster.ts';
import { withLog } from '../../../faults/environment/logged.ts';
import { projectIn, putCluster, putProject } from '../../../support/project.ts';
import { virtualTime } from '../../../support/virtualTime.ts';
import { makeTestEnvironment, type TestEnvironment } from '../../../support/environment.ts';

/** A project and the operator over it, in a prepared environment. Time passes only when it is let pass. */
export async function projectSession(
  spec: Partial<ProjectSpec> = {},
  prepare: (environment: TestEnvironment) => void = (environment) => putCluster(environment),
) {
  const time = virtualTime();
  const environment = makeTestEnvironment({ now: time.wall, controllers: [projectController()], alsoSeen: everyKind });
  prepare(environment);
  putProject(environment, spec);
  const { operator, crash } = await time.wait(
    environment.start(undefined, withLog(time.over(environment.services), environment.logged)),
  );
  await time.settle();
  const project = (): CoreProject => {
    const found = projectIn(environment);
    if (!found) throw new Error('the project is gone');
    return found;
  };
  return {
    environment,
    time,
    operator,
    project,
    ready: () => conditionOf(project(), 'Ready'),
    message: () => conditionOf(project(), 'Ready')?.message ?? '',
    moves: (machine = 'projectReady') =>
      historyOf(project())
        .filter((move) => move.machine === machine)
        .map(({ from, event, to }) => `${from} ${event} ${to}`),
    /** Lets time pass, and everything in it happen. */
    pass: async (seconds: number) => {
      const until = time.now() + seconds * 1_000;
      for (let next = time.next(); next !== undefined && next <= until; next = time.next()) await time.moveTo(next);
      await time.moveTo(until);
    },
    /** Does something from outside, and lets what follows of it at once happen. */
    edit: async (act: (environment: TestEnvironment) => void) => {
      act(environment);
      await time.settle();
    },
    /** Deletes an object as kubectl does. */
    remove: async (resource: Resource, name: string, namespace?: string) => {
      await Effect.runPromise(environment.cluster.remove(resource, { name, ...(namespace && { namespace }) }));
      await time.settle();
    },
    end: () => time.wait(crash()),
  };
}

import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../crds/kind.ts';
import { everything } from '../../../runtime/controllers/all.ts';
import { clusters } from '../../../runtime/services/cluster/kinds.ts';
import type { ReconcileInput } from '../../../runtime/contract/lifecycle.ts';
import { standing } from '../../../runtime/step/standing.ts';
import { suite } from '../../support/suite.ts';
import { fleetOf } from './fleet.ts';
import { countingReader } from './reader.ts';
import { nameOf } from '../../../runtime/contract/controller.ts';

const spec = suite('objects touched by a change');

const { controllers } = everything({
  builder: { builderImage: 'builder', gitImage: 'git', gitUrl: 'https://git.example' },
});

/** For each watch, what is touched to find whom a change of the first object of its resource concerns, and who that is. */
function touchedIn(projects: number) {
  const fleet = fleetOf(projects);
  const { reader, during } = countingReader(fleet);
  return controllers.flatMap((controller) =>
    controller.watches.flatMap(({ resource, ...watching }, at) => {
      const [object] = fleet.get(resource) ?? [];
      if (object === undefined) return [];
      const { answer, touched } = during(() => watching.concerns(object, reader));
      return [{ watch: `${nameOf(controller)}, watch ${at} of ${resource.plural}`, names: answer.length, touched }];
    }),
  );
}

spec('a listener touches no more objects in a fleet four times as large, unless they all are concerned', () => {
  const [few, many] = [touchedIn(5), touchedIn(20)];
  assert.ok(few.length > 60, `${few.length} watches are tried`);
  const growing = few.flatMap(({ watch, touched, names }, at) => {
    const beyond = (many[at]?.touched ?? 0) - touched;
    const more = (many[at]?.names ?? 0) - names;
    return beyond > more ? [`${watch} touches ${beyond} objects more to find ${more} more`] : [];
  });
  assert.equal(growing, []);
});

const momentOf = ({ lifecycles }: (typeof controllers)[number], object: KubeObject): ReconcileInput => ({
  now: Date.UTC(2027, 0, 1),
  resetFrom: null,
  failure: null,
  others: standing(lifecycles, object),
});

/** For each machine, what is touched to observe the first object of its kind; clusters are few, and not counted. */
function touchedByPasses(projects: number) {
  const fleet = fleetOf(projects);
  const few = new Map([...fleet].map(([resource, all]) => [resource, resource === clusters ? all.slice(0, 1) : all]));
  const { reader, during } = countingReader(few);
  return controllers.flatMap((controller) =>
    controller.lifecycles.flatMap((lifecycle) => {
      const [object] = fleet.get(controller.resource) ?? [];
      if (object === undefined) return [];
      const { touched } = during(() => lifecycle.observe(object, reader, momentOf(controller, object)));
      return [{ machine: `${nameOf(controller)} ${lifecycle.name}`, touched }];
    }),
  );
}

spec('a machine observes no more objects in a fleet four times as large', () => {
  const [few, many] = [touchedByPasses(5), touchedByPasses(20)];
  assert.ok(few.length > 15, `${few.length} machines are tried`);
  const growing = few.filter(({ touched }, at) => many[at]?.touched !== touched);
  assert.equal(growing, []);
});

spec.run();

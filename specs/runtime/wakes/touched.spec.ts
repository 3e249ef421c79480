import * as assert from 'uvu/assert';
import { everything } from '../../../runtime/controllers/all.ts';
import { nameOf } from '../../../runtime/lifecycle.ts';
import { suite } from '../../support/suite.ts';
import { fleetOf } from './fleet.ts';
import { countingReader } from './reader.ts';

const spec = suite('whom a change concerns');

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

spec.run();

import { readdirSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { everything } from '../../runtime/controllers/all.ts';
import { suite } from '../support/suite.ts';
import { parseTable } from './parse.ts';

const spec = suite('wakers of rows without a timer');

const folder = new URL('.', import.meta.url);
const woken = readdirSync(folder)
  .filter((file) => file.endsWith('.md'))
  .flatMap((file) =>
    parseTable(readFileSync(new URL(file, folder), 'utf8'), file).woken.map((row) => ({
      ...row,
      machine: file.replace('.md', ''),
    })),
  );

const { controllers } = everything({
  builder: { builderImage: 'builder', gitImage: 'git', gitUrl: 'https://git.example' },
});

/** The kinds that wake the objects with a machine, and the other machines of these objects. */
function wakersOf(machine: string): readonly string[] {
  return controllers
    .filter(({ lifecycles }) => lifecycles.some(({ name }) => name === machine))
    .flatMap(({ watches, lifecycles }) => [
      ...watches.map(({ resource }) => resource.kind),
      ...lifecycles.map(({ name }) => name).filter((name) => name !== machine),
    ]);
}

spec('each row that waits without a timer is woken by an object its controller watches', () => {
  assert.ok(woken.length > 0);
  for (const { machine, rows, by } of woken) {
    const wakers = wakersOf(machine);
    assert.equal(
      by.filter((one) => !wakers.includes(one)),
      [],
      `${machine} ${rows.join(', ')}`,
    );
  }
});

spec.run();

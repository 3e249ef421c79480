import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { floors, importsOf, naming, sources } from './sources.ts';

const spec = suite('the embedded cluster');

const folder = 'runtime/embedded/';
const entry = `${folder}index.ts`;
const isInside = (path: string) => path.startsWith(folder);
const isOurs = (path: string) => floors.some((floor) => path.startsWith(`${floor}/`));

const importing = (from: (path: string) => boolean, found: (imported: string) => boolean) =>
  sources
    .filter(({ path }) => from(path))
    .flatMap((source) =>
      importsOf(source)
        .filter(found)
        .map((imported) => `${source.path} imports ${imported}`),
    );

spec('the program imports only the entry of the embedded cluster', () => {
  const isOfProgram = (path: string) => !isInside(path) && !path.startsWith('specs/');
  assert.equal(
    importing(isOfProgram, (imported) => isInside(imported) && imported !== entry),
    [],
  );
  assert.ok(importing(isOfProgram, (imported) => imported === entry).length > 5, 'nothing imports its entry');
});

spec('the embedded cluster imports nothing of the rest of the program', () => {
  assert.ok(importing(isInside, isInside).length > 500, 'its sources were not read');
  assert.equal(
    importing(isInside, (imported) => isOurs(imported) && !isInside(imported)),
    [],
  );
});

spec('the embedded cluster contains no names of the program', () => {
  assert.equal(naming(/core[.-](?:platform|system|replicated|single)/).filter(isInside), []);
});

spec.run();

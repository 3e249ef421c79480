import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { importsOf, naming, root, sources } from './sources.ts';

const spec = suite('the folders of the kinds');

const home = 'runtime/controllers';
/** What kinds share; they are no kinds. */
const shared = ['provisioned', 'cloudAccess'];
const names = ['controller', 'lifecycle', 'observe', 'ask', 'actions', 'owned', 'ensures', 'kinds', 'read', 'causes'];

const entriesOf = (folder: string) => readdirSync(join(root, folder), { withFileTypes: true });
const foldersIn = (folder: string): readonly string[] =>
  entriesOf(folder)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
const kinds = foldersIn(home).filter((name) => !shared.includes(name));
/** The folders that hold the files of a machine: those of kinds, and those of further machines. */
const machines = kinds.flatMap((kind) => {
  const further = `${home}/${kind}/lifecycles`;
  const others = foldersIn(`${home}/${kind}`).includes('lifecycles') ? foldersIn(further) : [];
  return [`${home}/${kind}`, ...others.map((machine) => `${further}/${machine}`)];
});

/** The kind that a file belongs to; null for what is no kind's. */
const kindOf = (path: string): string | null => kinds.find((kind) => path.startsWith(`${home}/${kind}/`)) ?? null;

/** What is imported of a kind besides its `read.ts`, by files outside of it. */
const reachedInto = (from: (path: string) => boolean): readonly string[] =>
  sources
    .filter(({ path }) => from(path))
    .flatMap((source) =>
      importsOf(source)
        .filter((imported) => kindOf(imported) !== null && kindOf(imported) !== kindOf(source.path))
        .filter((imported) => imported !== `${home}/${kindOf(imported)}/read.ts`)
        .map((imported) => `${source.path} imports ${imported}`),
    );

spec('every kind has a controller, and its files have the common names', () => {
  assert.ok(kinds.length > 10 && machines.length > kinds.length, 'the kinds were not read');
  for (const kind of kinds)
    assert.ok(
      entriesOf(`${home}/${kind}`).some(({ name }) => name === 'controller.ts'),
      kind,
    );
  const misnamed = machines.flatMap((folder) =>
    entriesOf(folder)
      .map(({ name }) => name)
      .filter((name) => !names.includes(name.replace(/\.ts$/, '')) && name !== 'lifecycles')
      .map((name) => `${folder}/${name}`),
  );
  assert.equal(misnamed, []);
});

spec('a folder within a kind has the file of its name as its entry', () => {
  const without = machines.flatMap((folder) => {
    const files = entriesOf(folder).map(({ name }) => name);
    return foldersIn(folder).filter((name) => name !== 'lifecycles' && !files.includes(`${name}.ts`));
  });
  assert.equal(without, []);
});

spec('a controller imports only `read.ts` of another kind', () => {
  assert.equal(
    reachedInto((path) => kindOf(path) !== null || shared.some((name) => path.startsWith(`${home}/${name}/`))),
    [],
  );
});

spec('the API and its clients import only `read.ts` of a kind', () => {
  assert.equal(
    reachedInto((path) => path.startsWith('http/')),
    [],
  );
});

spec('a kind leaves the writing of attempts and counted failures to `provisioned/`', () => {
  const fields =
    /\b(reconcileRetry|reconcileFailure\w*|lastFailure\w*|activeProvisionAttempt|provisionAttempts|provision): (?!\{ effect)/;
  const writers = /\b(attemptStarted|attemptEnded|errorRecorded)\b/;
  const writing = (path: string) => path.startsWith(`${home}/`) && !path.startsWith(`${home}/provisioned/`);
  const named = [...naming(fields), ...naming(writers)];
  assert.ok(named.includes(`${home}/provisioned/actions.ts`) && named.includes(`${home}/provisioned/retry.ts`));
  assert.equal(named.filter(writing), []);
});

spec('the controller of backup archives imports nothing of the database controller', () => {
  const known = sources
    .filter(({ path }) => path.startsWith(`${home}/backupArchive/`))
    .flatMap(importsOf)
    .filter((imported) => imported.startsWith(`${home}/database/`));
  assert.equal(known, []);
});

spec.run();

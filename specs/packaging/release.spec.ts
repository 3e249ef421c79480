import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { parse, parseAllDocuments } from 'yaml';
import { kinds } from '../../crds/kinds.ts';
import { root } from '../support/product.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';

const spec = suite('a release');
const whole = unless(spec, isWhole ? null : 'two releases are made by `npm run whole`');
const base = mkdtempSync(join(tmpdir(), 'core-release-spec-'));
spec.after(() => rmSync(base, { recursive: true, force: true }));

interface Installed {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
}

interface Chart {
  readonly name: string;
  readonly version: string;
  readonly appVersion: string;
}

const node = (cwd: string, ...args: readonly string[]) => spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
const released = (cwd: string, ...args: readonly string[]) => node(cwd, 'packaging/release/main.mjs', ...args);
const ran = (line: string): unknown => JSON.parse(node(root, '--input-type=module', '-e', line).stdout);
const objectsIn = (text: string) => parseAllDocuments(text).map((one) => one.toJS() as Installed);

spec('a tag without v and a release without its section are refused', () => {
  const refusals = [['1.2.0'], [], ['v999.0.0', '--out', join(base, 'none')]].map((args) => released(root, ...args));
  assert.equal(
    refusals.map(({ status, stderr }) => [status, stderr]),
    [
      [2, '"1.2.0" is no tag such as v1.2.0\n'],
      [2, '"" is no tag such as v1.2.0\n'],
      [2, 'CHANGELOG.md has no section "## v999.0.0"\n'],
    ],
  );
  assert.not(existsSync(join(base, 'none')));
});

spec('a folder that holds something is refused', () => {
  assert.is(released(root, 'v1.2.0', '--out', root).stderr, `${root.replace(/\/$/, '')} is not empty\n`);
});

spec('the notes are the section of the release, up to the next one', () => {
  const changelog = '# Changes\n\n## v1.2.0\n\n- One.\n\n## v1.1.0\n\n- Older.\n';
  const line = (tag: string) => `import { sectionOf } from './packaging/release/notes.mjs';
    console.log(JSON.stringify(sectionOf(${JSON.stringify(changelog)}, '${tag}') ?? null));`;
  assert.equal([ran(line('v1.2.0')), ran(line('v1.1.0')), ran(line('v1.2'))], ['- One.', '- Older.', null]);
});

spec('what installs a release names it in every definition and image, and begins with the namespace', () => {
  const { definitions, all } = ran(`import { installedOf } from './packaging/release/installed.mjs';
    console.log(JSON.stringify(installedOf({ root: ${JSON.stringify(root)}, tag: 'v1.2.0' })));`) as {
    readonly definitions: string;
    readonly all: string;
  };
  const objects = objectsIn(all);
  assert.is(objects[0]?.kind, 'Namespace');
  const ofRelease = objects.filter(({ metadata }) => metadata.annotations?.['core.platform/release'] === 'v1.2.0');
  assert.is(ofRelease.length, kinds.length);
  assert.equal(objectsIn(definitions), ofRelease);
  assert.match(all, /image: core-platform:1\.2\.0$/m);
  assert.not.match(all, /core-platform:0\.1\.0/);
});

spec('the chart of a release has its version, and so have the images that it names', () => {
  ran(`import { writeChart } from './packaging/release/chart.mjs';
    writeChart({ root: ${JSON.stringify(root)}, version: '1.2.0', folder: ${JSON.stringify(base)} });
    console.log('{}');`);
  const { name, version, appVersion } = parse(readFileSync(join(base, 'core/Chart.yaml'), 'utf8')) as Chart;
  assert.equal([name, version, appVersion], ['core', '1.2.0', '1.2.0']);
  assert.ok(existsSync(join(base, 'core/templates/deployment.yaml')));
});

whole('two releases of a commit have the same bytes, and its program tells its version', () => {
  const checkout = join(base, 'checkout');
  assert.is(spawnSync('git', ['clone', '--quiet', root, checkout]).status, 0);
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  appendFileSync(join(checkout, 'CHANGELOG.md'), '\n## v1.2.0\n\n- One.\n');
  assert.is(released(checkout, 'v1.2.0', '--out', join(base, 'dirty')).status, 2);
  const who = ['-c', 'user.name=spec', '-c', 'user.email=spec@example.org'];
  spawnSync('git', [...who, 'commit', '--quiet', '-am', 'release'], { cwd: checkout });
  const sums = ['a', 'b'].map(
    (name) => released(checkout, 'v1.2.0', '--base', 'scratch', '--out', join(base, name)).stdout,
  );
  const files = (sums[0] ?? '').split('\n').map((line) => line.slice(66));
  for (const file of [
    'core-platform-1.2.0.tgz',
    'core-1.2.0.tgz',
    'schemas-1.2.0.tgz',
    'install-1.2.0.yaml',
    'sbom.cdx.json',
    'NOTES.md',
  ])
    assert.ok(files.includes(file), file);
  const { status } = spawnSync('buildah', ['--version']);
  assert.is(files.includes('image-1.2.0.oci.tar'), status === 0, 'an image where there is buildah');
  assert.is(sums[0], sums[1]);
  assert.is(sums[0], readFileSync(join(base, 'a/SHA256SUMS'), 'utf8'));
  assert.is(spawnSync(join(base, 'a/core'), ['version'], { encoding: 'utf8' }).stdout, 'core v1.2.0\n');
});

spec.run();

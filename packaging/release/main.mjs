// `npm run release -- v1.2.0 [--out DIR] [--base IMAGE]`: writes everything of a release into a folder, `release/v1.2.0` by
// default, and publishes nothing. The same commit gives the same bytes; so does its image, of the same base.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { archive } from './archive.mjs';
import { writeChart } from './chart.mjs';
import { writeImageArchive } from './imageArchive.mjs';
import { installedOf } from './installed.mjs';
import { sectionOf } from './notes.mjs';
import { isTag } from './tag.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}

function output(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) refuse(`${program} ${args[0]}: ${stderr.trim()}`);
  return stdout.trim();
}

const options = { out: { type: 'string' }, base: { type: 'string' } };
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const [tag = ''] = positionals;
if (!isTag(tag)) refuse(`"${tag}" is no tag such as v1.2.0`);
const version = tag.slice(1);
const out = resolve(values.out ?? join(root, 'release', tag));
if (existsSync(out) && readdirSync(out).length > 0) refuse(`${out} is not empty`);
const notes = sectionOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), tag);
if (notes === undefined) refuse(`CHANGELOG.md has no section "## ${tag}"`);
if (output('git', 'status', '--porcelain') !== '') refuse('the checkout has changes that are not committed');

const epoch = Number(output('git', 'log', '-1', '--format=%ct'));
const scratch = mkdtempSync(join(tmpdir(), 'core-release-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const files = join(scratch, 'files');
const tree = join(scratch, 'tree');
mkdirSync(files);
output(process.execPath, 'build.mjs', '--release', tag, '--image', tree);
// The next build of the checkout is no release.
rmSync(join(root, 'dist/built'));
writePackage();
writeProgram();
writeChart({ root, version, folder: scratch });
archive({ folder: scratch, names: ['core'], file: join(files, `core-${version}.tgz`), epoch });
archive({
  folder: join(root, 'crds/schemas'),
  names: ['core.platform'],
  file: join(files, `schemas-${version}.tgz`),
  epoch,
});
const { definitions, all } = installedOf({ root, tag });
writeFileSync(join(files, `crds-${version}.yaml`), definitions);
writeFileSync(join(files, `install-${version}.yaml`), all);
cpSync(join(tree, 'sbom.cdx.json'), join(files, 'sbom.cdx.json'));
writeFileSync(join(files, 'NOTES.md'), `${notes}\n`);
if (isThere('buildah'))
  writeImageArchive({
    root,
    tree,
    tag,
    base: values.base,
    scratch,
    file: join(files, `image-${version}.oci.tar`),
    epoch,
  });
writeSums();
cpSync(files, out, { recursive: true });
process.stdout.write(readFileSync(join(out, 'SHA256SUMS'), 'utf8'));

function isThere(program) {
  return spawnSync(program, ['--version']).status === 0;
}

/** The package for npm: what the image holds of Core itself, under the version of the release. */
function writePackage() {
  const folder = join(scratch, 'package');
  cpSync(join(tree, 'dist'), join(folder, 'dist'), { recursive: true });
  for (const name of ['README.md', 'LICENSE']) cpSync(join(root, name), join(folder, name));
  const described = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...described, version }, null, 2)}\n`);
  archive({ folder: scratch, names: ['package'], file: join(files, `core-platform-${version}.tgz`), epoch });
}

/** The command line as one file, with its sum as the install script reads it. */
function writeProgram() {
  cpSync(join(tree, 'dist/core'), join(files, 'core'));
  writeFileSync(join(files, 'core.sha256'), sumLine('core'));
}

function sumLine(name) {
  return `${createHash('sha256')
    .update(readFileSync(join(files, name)))
    .digest('hex')}  ${name}\n`;
}

function writeSums() {
  writeFileSync(join(files, 'SHA256SUMS'), readdirSync(files).toSorted().map(sumLine).join(''));
}

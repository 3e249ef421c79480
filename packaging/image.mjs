// The files of Core's image, made from dist/: the bundles without their maps and without the code that this machine's
// V8 kept of them, the packages that they require, for both processors, their licences, and what all of it is made of.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { packagesIn, requiredBy } from './packages.mjs';
import { billOf } from './bill.mjs';

/** The processors that an image is for, by the names that npm has for them. */
const everyProcessor = ['x64', 'arm64'];

/** What of a package runs, or says under which terms. */
const runs = /(?:\.[cm]?js|\.json|\.node|\/(?:LICEN[CS]E|NOTICE)[^/]*)$/i;
const compiled = /\.node$/;

/** Whether a compiled file is for an image with glibc on one of the processors, and for each Node. */
const isUsed = (file, processors) =>
  processors.some((processor) => file.includes(`linux-${processor}/`)) && !/\bmusl\b|\babi\d/.test(basename(file));

/** A mistake of the caller, in a sentence. */
export class ImageRefused extends Error {}

function npm(args, cwd) {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new ImageRefused(`npm ${args[0]} failed: ${stderr.trim().split('\n').at(-1) ?? ''}`);
  return stdout;
}

/** The folder of a package: here if it is for this processor, else as the registry has it, checked by its checksum. */
function folderOf({ path, name, version, integrity }, root, scratch) {
  if (existsSync(join(root, path))) return join(root, path);
  const [packed] = JSON.parse(npm(['pack', '--json', '--pack-destination', scratch, `${name}@${version}`], root));
  if (packed.integrity !== integrity) throw new ImageRefused(`${name}@${version} is not what package-lock.json names`);
  const folder = mkdtempSync(join(scratch, 'package-'));
  const archive = join(scratch, packed.filename);
  const { status } = spawnSync('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']);
  if (status !== 0) throw new ImageRefused(`${basename(archive)} cannot be unpacked`);
  return folder;
}

function copyPackage(from, to, { path, processors }) {
  for (const name of readdirSync(from, { recursive: true })) {
    const file = join(path, name);
    if (!runs.test(`/${name}`) || (compiled.test(name) && !isUsed(file, processors))) continue;
    cpSync(join(from, name), join(to, file));
  }
}

/** The terms of a package that is in a bundle: its own file where it has one, else what it says of itself. */
function copyLicence({ path, name, license }, root, to) {
  const folder = join(root, path);
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text = file === undefined ? `${license}\n` : readFileSync(join(folder, file));
  writeFileSync(join(to, `${name.replace('/', '+')}.txt`), text);
}

/**
 * Writes into a folder, which must be empty or not there, what the image holds. Throws `ImageRefused`.
 * @param {{ root: string, dist: string, dir: string, processors?: readonly string[] }} given the checkout, what was built of
 * it, the folder
 */
export function writeImage({ root, dist, dir, processors = everyProcessor }) {
  if (existsSync(dir) && readdirSync(dir).length > 0) throw new ImageRefused(`${dir} is not empty`);
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { bundled, required } = JSON.parse(readFileSync(join(dist, 'packages.json'), 'utf8'));
  const scratch = mkdtempSync(join(tmpdir(), 'core-image-'));
  try {
    const inBundles = packagesIn(lock, bundled);
    const beside = requiredBy(lock, required, processors);
    const isLeftOut = (path) => /\.(?:map|code)$/.test(path) || basename(path) === 'packages.json';
    cpSync(dist, join(dir, 'dist'), { recursive: true, filter: (path) => !isLeftOut(path) });
    for (const one of beside) copyPackage(folderOf(one, root, scratch), dir, { path: one.path, processors });
    const licences = join(dir, 'licences');
    mkdirSync(licences);
    for (const one of inBundles) copyLicence(one, root, licences);
    cpSync(join(root, 'LICENSE'), join(dir, 'LICENSE'));
    const sbom = JSON.parse(npm(['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--omit=dev'], root));
    const bill = billOf(sbom, [...inBundles, ...beside]);
    writeFileSync(join(dir, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

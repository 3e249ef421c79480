// Which packages of package-lock.json are in bundles, and which are required beside them.
import { isBuiltin } from 'node:module';

/** `name` of a path of the lock: the last package in it. */
const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

const entry = (lock, path) => {
  const { version, integrity, license = '' } = lock.packages[path];
  return { path, name: nameOf(path), version, integrity, license };
};

const byText = (one, other) => (one < other ? -1 : Number(one !== other));
/** The distinct texts, sorted. */
const distinct = (texts) => [...new Set(texts)].toSorted(byText);

/** The package that a file belongs to, by its path in the lock; undefined for a file of ours. */
const packageOf = (file) => /\bnode_modules\/.*/.exec(file)?.[0].match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0];

/**
 * What esbuild put into bundles, and what it left to be required, of its own account of each build.
 * @param {readonly import('esbuild').Metafile[]} metafiles
 */
export function packagesOf(metafiles) {
  const inputs = metafiles.flatMap((one) => Object.keys(one.inputs));
  const imports = metafiles.flatMap((one) => Object.values(one.outputs).flatMap((output) => output.imports));
  const isPackage = ({ external, path }) => external && !isBuiltin(path) && /^(?:@[\w.-]+\/)?[\w-][\w.-]*$/.test(path);
  return {
    bundled: distinct(inputs.map(packageOf).filter((path) => path !== undefined)),
    required: distinct(imports.filter(isPackage).map(({ path }) => path)),
  };
}

/** The packages at paths of the lock; what is beside it in a workspace is ours. */
export const packagesIn = (lock, paths) =>
  paths.filter((path) => lock.packages[path]?.version !== undefined).map((path) => entry(lock, path));

/** Where a package finds another one: beside itself, else beside what it is in. */
function found(lock, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (lock.packages[path] !== undefined) return path;
    if (at === '') return undefined;
  }
}

const serves = ({ os = ['linux'], cpu, libc = ['glibc'] }, processors) =>
  os.includes('linux') && libc.includes('glibc') && (cpu === undefined || processors.some((one) => cpu.includes(one)));

/**
 * The packages of some names that ours depends on, and those that they require in turn, for Linux with glibc on some
 * processors. What a bundle would only try to require is no dependency of ours.
 */
export function requiredBy(lock, names, processors) {
  const { dependencies: ours } = lock.packages[''];
  const paths = new Set();
  const add = (from, name) => {
    const path = found(lock, from, name);
    if (path === undefined || paths.has(path) || !serves(lock.packages[path], processors)) return;
    paths.add(path);
    const { dependencies = {}, optionalDependencies = {} } = lock.packages[path];
    for (const one of Object.keys({ ...dependencies, ...optionalDependencies })) add(path, one);
  };
  for (const name of names) if (name in ours) add('', name);
  return distinct(paths).map((path) => entry(lock, path));
}

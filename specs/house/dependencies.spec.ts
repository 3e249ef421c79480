import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { importsOf, root, sources } from './sources.ts';

const spec = suite('dependencies');

interface Manifest {
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
}
const manifestIn = (folder: string) => JSON.parse(readFileSync(`${root}/${folder}/package.json`, 'utf8')) as Manifest;
const manifest = manifestIn('.');
const embedded = manifestIn('runtime/embedded');
const ofProgram = { ...manifest.dependencies, ...embedded.dependencies };
const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
const isPackage = (specifier: string) => /^[@a-z]/.test(specifier) && !specifier.startsWith('node:');

/** Every module of a package that the program itself imports; the dashboard's run in a browser. */
const imported = [
  ...new Set(
    sources
      .filter(({ path }) => !path.startsWith('specs/') && !path.startsWith('http/dashboard/'))
      .flatMap(importsOf)
      .filter((name) => isPackage(name) && packageOf(name) in ofProgram),
  ),
].toSorted();

spec('every module of a package that the program imports loads on this Node', async () => {
  assert.ok(imported.length > 15, 'the imports were not read');
  await import('reflect-metadata');
  for (const name of imported) assert.type(await import(name), 'object', name);
});

spec('every dependency has an exact version', () => {
  const all = [manifest, embedded].flatMap(({ dependencies, devDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies }),
  );
  assert.equal(
    all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
    [],
  );
  const versions = new Map(all);
  assert.equal(
    all.filter(([name, version]) => versions.get(name) !== version),
    [],
    'a package in two versions',
  );
});

spec('every imported package is a dependency, and the program needs no development package', () => {
  const named = (path: RegExp, known: object) => [
    ...new Set(
      sources
        .filter((source) => path.test(source.path))
        .flatMap((source) => importsOf(source).filter((name) => isPackage(name) && !(packageOf(name) in known)))
        // Files of ours; and the loader, which only what runs from its sources asks for.
        .filter((name) => !/^(?:crds|machines|packaging|rules|runtime|http|specs|tsx)\//.test(name)),
    ),
  ];
  assert.equal(named(/^(?!specs\/|runtime\/embedded\/)/, manifest.dependencies), []);
  assert.equal(named(/^runtime\/embedded\//, embedded.dependencies), []);
  assert.equal(named(/^specs\//, { ...ofProgram, ...manifest.devDependencies }), []);
});

spec('the embedded cluster lists no package that it does not name', () => {
  const inside = sources.filter(({ path }) => path.startsWith('runtime/embedded/')).map(({ code }) => code);
  assert.equal(
    Object.keys(embedded.dependencies).filter((name) => !inside.some((code) => code.includes(`'${name}`))),
    [],
  );
});

interface Locked {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly optionalDependencies?: Readonly<Record<string, string>>;
        readonly engines?: { readonly node?: string };
        readonly hasInstallScript?: boolean;
      }
    >
  >;
}

spec('the lock file contains the optional packages of other systems, which `npm ci` requires', () => {
  const { packages } = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8')) as Locked;
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`${path}/node_modules/${name}` in packages) && !(`node_modules/${name}` in packages),
    ),
  );
  assert.equal(missing, []);
});

spec('every install script of a locked package is allowed or denied, so that `npm ci` warns of none', () => {
  const { packages } = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8')) as Locked;
  const names = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  assert.equal(names.toSorted(), Object.keys(manifest.allowScripts).toSorted());
});

spec('the server is bundled without the models of the Kubernetes client', () => {
  const server = readFileSync(`${root}/dist/server.bundle.js`, 'utf8');
  assert.ok(server.includes('loadFromCluster'), 'the client is not in it');
  assert.not.ok(server.includes('V1PodSpec = class'));
});

/** Whether a range such as `^20.19.0 || >=22.12.0` admits a version. A bare `20` is all of 20; another form admits nothing. */
const admits = (range: string, [major, minor]: readonly [number, number]): boolean =>
  range.split('||').some((part) => {
    const [, form = '', first = '', second = '0'] =
      /^\s*(\^|>=|(?=\d+\s*$))\s*(\d+)(?:\.(\d+))?(?:\.[\dx]+)?\s*$/.exec(part) ?? [];
    if (first === '') return false;
    const isReached = major > Number(first) || (major === Number(first) && minor >= Number(second));
    return isReached && (form === '>=' || major === Number(first));
  });

spec('every locked package runs on the oldest Node, so that `npm ci` warns of none', () => {
  const { packages } = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8')) as Locked;
  const [, major = '', minor = ''] = /^>=(\d+)\.(\d+)$/.exec(manifest.engines.node) ?? [];
  const oldest = [Number(major), Number(minor)] as const;
  assert.equal(
    ['>=20', '>= 0.6', '20 || >=22', '^20.19.0 || >=22.12.0', '>=22', '18', '^18', '>=20.20', ''].map((range) =>
      admits(range, [20, 19]),
    ),
    [true, true, true, true, false, false, false, false, false],
  );
  const ranges = Object.entries(packages).flatMap(([path, { engines }]) =>
    engines?.node === undefined ? [] : [[path, engines.node] as const],
  );
  assert.ok(ranges.length > 50, 'the lock file was not read');
  assert.equal(
    ranges.filter(([, range]) => !admits(range, oldest)),
    [],
  );
});

spec('the running Node is a version that the package supports', () => {
  const [, major = '0', minor = '0'] = /^>=(\d+)\.(\d+)/.exec(manifest.engines.node) ?? [];
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);
  assert.ok(ownMajor > Number(major) || (ownMajor === Number(major) && ownMinor >= Number(minor)));
});

spec.run();

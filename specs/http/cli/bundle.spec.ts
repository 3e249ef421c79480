import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { build } from 'esbuild';
import * as assert from 'uvu/assert';
import { settingsOf } from '../../../http/program/settings.ts';
import { bundleOf } from '../../../http/program/bundle.ts';
import { root } from '../../support/product.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('the bundle of the command line');

const bundled = () =>
  build({
    absWorkingDir: root,
    entryPoints: ['http/cli/main.ts'],
    bundle: true,
    minify: true,
    metafile: true,
    write: false,
    outdir: 'dist',
    platform: 'node',
    format: 'cjs',
    legalComments: 'none',
    logLevel: 'silent',
    // A bundle of its own, which `mcp` alone loads.
    external: ['../../mcp/serve.ts'],
  });

spec('the bundle contains only the packages of a terminal and has at most 400 kB', async () => {
  const { metafile, outputFiles } = await bundled();
  const packages = Object.keys(metafile.inputs).flatMap(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  );
  const own = [...new Set(packages)].toSorted();
  for (const heavy of ['effect', 'ajv', '@kubernetes/client-node', '@sinclair/typebox', 'undici', 'koa'])
    assert.not.ok(own.includes(heavy), heavy);
  for (const used of ['commander', 'string-width', 'picocolors', 'xstate']) assert.ok(own.includes(used), used);
  const bytes = outputFiles.reduce((sum, { contents }) => sum + contents.length, 0);
  assert.ok(bytes <= 400_000, `${bytes} bytes`);
  const served = Object.keys(metafile.inputs).filter((path) => /^(?:runtime|http)\//.test(path));
  assert.equal(
    served.filter(
      (path) =>
        !/^(?:http\/(?:cli|apiClient)\/|http\/mcp\/(?:place|offered|caller)\.ts|http\/version\.ts|runtime\/step\/)/.test(
          path,
        ),
    ),
    [],
  );
});

spec('the first word selects the bundle', () => {
  for (const word of ['start', 'backup', 'restore']) {
    assert.is(bundleOf([word, '--port', '1']), 'server');
    assert.is(bundleOf(['help', word]), 'server');
  }
  for (const words of [[], ['help'], ['--help'], ['deploy', 'start'], ['__proto__'], ['constructor']])
    assert.is(bundleOf(words), 'cli');
});

spec('start selects the standalone bundle for the role cluster, whether a flag or a variable sets it', () => {
  const words = [[], ['--role', 'cluster'], ['--role=cluster'], ['--role', 'all'], ['--role='], ['--port', '1']];
  const cases = words.flatMap((first) => words.map((second) => [...first, ...second]));
  for (const flags of cases)
    for (const env of [{}, { CORE_ROLE: 'cluster' }, { CORE_ROLE: 'all' }, { CORE_ROLE: '' }]) {
      const { role } = settingsOf(flags, env);
      const bundle = role === 'cluster' ? 'standalone' : 'server';
      assert.is(bundleOf(['start', ...flags], env), bundle, `${JSON.stringify(env)} ${flags.join(' ')}`);
    }
  assert.is(bundleOf(['backup', 'file', '--role', 'cluster']), 'server');
});

spec('the standalone bundle contains neither the operator nor the dashboard', async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['http/program/clusterMain.ts'],
    bundle: true,
    metafile: true,
    write: false,
    outdir: 'dist',
    platform: 'node',
    format: 'cjs',
    external: ['lmdb', 'fs-native-extensions', 'cpu-features', '*.node'],
    logLevel: 'silent',
  });
  const files = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const held = files.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));
  const others =
    /node_modules\/(?:koa|@koa|xstate|@octokit|@modelcontextprotocol|prom-client|ssh2|preact)\/|^http\/(?:dashboard|routes|views|mcp)\/|^runtime\/(?:controllers\/all|start)\.ts/;
  assert.equal(
    held.filter((path) => others.test(path)),
    [],
  );
  assert.ok(held.includes('runtime/embedded/startCluster.ts'));
});

spec('the package has the program core, its files and its interpreter line', () => {
  const manifest = createRequire(import.meta.url)(`${root}/package.json`) as { bin: object; files: readonly string[] };
  assert.equal(manifest.bin, { core: 'dist/core.js' });
  assert.ok(manifest.files.includes('dist'));
  assert.match(readFileSync(`${root}/dist/core.js`, 'utf8'), /^#!\/usr\/bin\/env node\n/);
});

spec('the packages outside the bundles are dependencies of the installed package', () => {
  const { dependencies } = createRequire(import.meta.url)(`${root}/package.json`) as { readonly dependencies: object };
  const own = createRequire(import.meta.url)(`${root}/runtime/embedded/package.json`) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const build = readFileSync(`${root}/build.mjs`, 'utf8');
  const [, outside = ''] = /external: \[([^\]]*)\]/.exec(build) ?? [];
  const packages = [...outside.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name);
  assert.ok(packages.includes('lmdb'));
  // The one that is optional is a package's own choice.
  for (const name of packages.filter((one) => one !== 'cpu-features'))
    assert.is(new Map(Object.entries(dependencies)).get(name), own.dependencies[name], name);
});

spec.run();

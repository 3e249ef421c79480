import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { floors, importsOf, loadsOf, type Source, sources } from './sources.ts';

const spec = suite('house');
const under =
  (...folders: readonly string[]) =>
  (path: string) =>
    folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
const isOurs = under(...floors);
const floorOf = (path: string) => floors.findIndex((floor) => path.startsWith(`${floor}/`));

/** Imports of ours that a file may not make. */
const forbidden = (of: readonly Source[], may: (source: Source, imported: string) => boolean) =>
  of.flatMap((source) =>
    importsOf(source)
      .filter((imported) => isOurs(imported) && !may(source, imported))
      .map((imported) => `${source.path} imports ${imported}`),
  );

spec('a folder imports only from earlier floors of the plan', () => {
  assert.ok(sources.length > 100 && sources.flatMap(importsOf).length > 500, 'the sources were not read');
  assert.equal(
    forbidden(sources, ({ path }, imported) => floorOf(imported) <= floorOf(path)),
    [],
  );
});

/** Besides itself and the contract of the API, what each client may know. */
const performed = ['machines/deployWait.ts', 'machines/sleepSetting.ts', 'machines/tables.ts', 'machines/names.ts'];
const knownTo: Readonly<Record<string, readonly string[]>> = {
  // What takes effect, and when: pages that derived it anew would promise something else. What is
  // pasted and edited as text is read where it is typed.
  'http/dashboard': [
    'rules/draftDeploy/waiting.ts',
    // How checks follow each other.
    'rules/nextCheck.ts',
    'rules/service/effective.ts',
    'rules/service/machineHosts.ts',
    'rules/variables',
    // The messages by which a page tells what keeps a service awake and that storage starts, where they are written.
    'rules/database/limits.ts',
    'rules/service/sleep.ts',
    // The ids of routes, types alone, by which answers are keyed.
    'rules/access/routes.ts',
    // Moves to and fro are the same rows in every list.
    'rules/moves/foldFlips.ts',
    // Whether the kinds are older than the program.
    'rules/kindsRelease.ts',
  ],
  // A server that is not reached is spoken of in the same words everywhere.
  'http/apiClient': ['rules/unreachable.ts'],
  // The two lifecycles that the command line performs, with what steps them.
  'http/cli': [
    'http/apiClient',
    // Its command `mcp` starts the agent server.
    'http/mcp',
    'http/version.ts',
    ...performed,
    'rules/deployWait',
    'rules/sleepSetting',
    'rules/engine.ts',
    'runtime/contract/stepper.ts',
    'runtime/step',
    // What a mistyped word meant, how checks follow each other, and the words in which the API refuses a role.
    'rules/nearest.ts',
    'rules/nextCheck.ts',
    'rules/access/refusals.ts',
  ],
  'http/mcp': ['http/apiClient', 'http/version.ts'],
};

spec('clients of the API import its contract and nothing of the server', () => {
  for (const [client, known] of Object.entries(knownTo))
    assert.equal(
      forbidden(
        sources.filter(({ path }) => under(client)(path)),
        (_, imported) =>
          under(client, 'http/api.ts', 'crds/names.ts', 'rules/errorMessage.ts', 'rules/json.ts', ...known)(imported),
      ),
      [],
    );
});

spec('machines and rules have no effects and import only pure packages and modules', () => {
  const pure = [
    'xstate',
    '@sinclair/typebox',
    'picomatch',
    'croner',
    'ipaddr.js',
    'node:crypto',
    'node:path',
    '@marcbachmann/cel-js',
  ];
  const core = sources.filter(({ path }) => under('machines', 'rules')(path));
  const others = core.flatMap((source) =>
    importsOf(source)
      .filter((imported) => !isOurs(imported) && !pure.includes(imported))
      .map((imported) => `${source.path} imports ${imported}`),
  );
  assert.equal(others, []);
});

spec('value imports have no circles', () => {
  const graph = new Map(sources.map((source) => [source.path, loadsOf(source).filter(isOurs)]));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, way: readonly string[]) => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' → '));
    if (done.has(path) || way.includes(path)) return;
    for (const imported of graph.get(path) ?? []) visit(imported, [...way, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  assert.equal(circles, []);
});

/** Accesses to the outside world, and the only places where they are allowed. */
const rim = under('runtime/services', 'runtime/embedded', 'runtime/gitHost', 'runtime/local', 'http', 'specs');
const tools = under('crds/generate.ts', 'crds/manifestFile.ts');
const accesses: readonly (readonly [what: string, found: RegExp, may: (path: string) => boolean])[] = [
  ['the clock', /\bDate\b|\bperformance\.now\b/, (path) => rim(path) || path === 'rules/time.ts'],
  ['randomness', /\bMath\.random\b|\brandomBytes\b|\brandomUUID\b|\brandomInt\b|\bgetRandomValues\b/, rim],
  ['timers', /\b(?:setTimeout|setInterval|setImmediate)\b|\bqueueMicrotask\b/, rim],
  ['the process', /\bprocess\.(?:env|exit|on|stdout|stderr|argv)\b/, (path) => rim(path) || tools(path)],
];
for (const [what, found, may] of accesses)
  spec(`only services use ${what}`, () => {
    const touching = sources.filter(({ path, code }) => !may(path) && found.test(code)).map(({ path }) => path);
    assert.equal(touching, []);
    assert.ok(
      sources.some(({ path, code }) => may(path) && found.test(code)),
      'nothing was found anywhere',
    );
  });

const outward =
  /^(?:node:)?(?:fs|net|http|https|http2|tls|dgram|child_process|worker_threads|dns)(?:\/promises)?$|^(?:@kubernetes\/client-node|@octokit\/.*|@aws-sdk\/.*|undici|lmdb)$/;
spec('only services open files, sockets or clients', () => {
  const opening = sources
    .filter((source) => importsOf(source).some((name) => outward.test(name)))
    .map(({ path }) => path);
  assert.equal(
    opening.filter((path) => !rim(path) && !tools(path)),
    [],
  );
  assert.ok(opening.length > 10, 'nothing was found anywhere');
});

spec('rules use Date for nothing but arithmetic', () => {
  const time = sources.find(({ path }) => path === 'rules/time.ts')?.code ?? '';
  assert.not.match(time, /new Date\(\)|Date\.now/);
});

const specFiles = sources.filter(({ path }) => /\.spec\.tsx?$/.test(path));

spec('every spec ends by running its suite', () => {
  assert.equal(
    specFiles.filter(({ text }) => !text.endsWith('.run();\n')).map(({ path }) => path),
    [],
  );
  const suites = (text: string) => text.match(/^const \w+ = (?:suite|sliceOf|playing)[<(]/gm)?.length ?? 0;
  const runs = (text: string) => text.match(/^\w+\.run\(\);$/gm)?.length ?? 0;
  assert.equal(
    specFiles.filter(({ code }) => suites(code) !== runs(code)).map(({ path }) => path),
    [],
  );
});

spec('every title of a spec is unique, and no test runs alone by .only', () => {
  const titles = specFiles.flatMap(({ path, code }) => {
    const named = /= suite(?:<[^>]*>)?\(\s*(['"`])(.*?)\1/.exec(code)?.[2] ?? path;
    const suites = [...code.matchAll(/^const (\w+) = (?:suite|sliceOf|playing)[<(]/gm)].map(([, name]) => name);
    const test = new RegExp(`^\\s*(?:${suites.join('|')})\\(\\s*(['"])((?:(?!\\1).)+)\\1,\\s*(?:async\\s*)?\\(`, 'gm');
    return [...code.matchAll(test)].map(([, , title]) => `${named}: ${title}`);
  });
  assert.ok(titles.length > 100, 'the titles were not read');
  assert.equal(
    titles.filter((title, index) => titles.indexOf(title) !== index),
    [],
  );
  assert.equal(
    specFiles.filter(({ code }) => /^\s*\w+\.only\(/m.test(code)).map(({ path }) => path),
    [],
  );
});

spec('no file is longer than 400 lines', () => {
  assert.equal(
    sources
      .filter(({ text }) => text.split('\n').length > 401)
      .map(({ path, text }) => `${path}: ${text.split('\n').length - 1}`),
    [],
  );
});

spec('no file suppresses the type checker', () => {
  const away = /:\s*any\b|\bas any\b|^\s*export default\b/m;
  const silenced = new RegExp(['@ts', '(?:ignore|nocheck|expect-error)'].join('-'));
  const looking = sources.filter(({ text, code }) => away.test(code) || silenced.test(text));
  assert.equal(
    looking.map(({ path }) => path),
    [],
  );
});

spec.run();

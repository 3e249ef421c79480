import { createHmac } from 'node:crypto';
import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { type CoreApp, coreApp } from '../../crds/coreApp.ts';
import type { CoreDatabase } from '../../crds/coreDatabase.ts';
import { coreGitHostConnection } from '../../crds/coreGitHostConnection.ts';
import type { CoreProject, ProjectSpec } from '../../crds/coreProject.ts';
import { typeMeta } from '../../crds/kind.ts';
import type { Instance, Items, PullRequestItem } from '../../http/api.ts';
import { baseOf, copyName } from '../../rules/pullRequestEnvironment/copies.ts';
import { apps, connections, databases, projects } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { historyOf } from '../../runtime/step/history.ts';
import { databaseOf } from '../runtime/controllers/database/databaseOf.ts';
import { inSystem, putCluster, putProject } from '../support/project.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { ask, serve, type Served } from './served.ts';

const spec = suite('pull request environments');
let served: Served;
spec.before.each(async () => {
  served = await serve();
});
spec.after.each(() => served.stop());

const cached = (): CoreProject | undefined => served.operator.caches.get(projects, 'shop');
const entries = () => cached()?.status?.pullRequests ?? [];
const all = <T>(list: readonly T[]) => list;
const appsIn = (environment: string): readonly CoreApp[] =>
  all(served.world.cluster.all(apps)).filter((one) => one.spec.environment === environment);
const databasesIn = (environment: string): readonly CoreDatabase[] =>
  all(served.world.cluster.all(databases)).filter((one) => one.spec.environment === environment);
const moves = () =>
  historyOf(cached() ?? { metadata: { name: '' } })
    .filter(({ machine }) => machine === 'pullRequestEnvironment')
    .map(({ item, from, event, to }) => `${item} ${from} ${event} ${to}`);

interface Told {
  readonly action?: string;
  readonly number?: number;
  readonly draft?: boolean;
  readonly from?: string | null;
  readonly base?: string;
  readonly installation?: number | null;
  readonly repository?: string;
  readonly sha?: string;
}

/** Delivers an event of a pull request as the Git host does. */
async function tell({ action = 'opened', number = 7, draft = false, from, base = 'main', ...told }: Told = {}) {
  const { installation = 1, repository = 'demo/shop', sha = 'b'.repeat(40) } = told;
  const whole = from === undefined ? repository : from;
  const text = JSON.stringify({
    action,
    number,
    pull_request: {
      draft,
      html_url: `https://git.example/${repository}/pull/${number}`,
      head: { ref: 'feature', sha, repo: whole === null ? null : { full_name: whole } },
      base: { ref: base },
    },
    repository: { full_name: repository },
    ...(installation === null ? {} : { installation: { id: installation } }),
  });
  const answer = await ask(`${served.url}/webhooks/git`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'pull_request',
      'x-hub-signature-256': `sha256=${createHmac('sha256', 'hook-secret').update(text).digest('hex')}`,
    },
    body: text,
  });
  assert.is(answer.status, 202, answer.text);
  return answer.json() as {
    readonly note: string;
    readonly pullRequests: readonly { readonly project: string; readonly environment: string; readonly note: string }[];
    readonly rebuilt: readonly string[];
  };
}
const noteOf = async (told: Told = {}) => (await tell(told)).pullRequests[0]?.note;

const service = (name: string, more: Partial<CoreApp['spec']> = {}): CoreApp => ({
  ...typeMeta(coreApp),
  metadata: inSystem(name),
  spec: {
    project: 'shop',
    environment: 'production',
    source: { git: { repository: 'demo/shop', branch: 'main', waitForCI: false } },
    deploy: { enabled: true },
    ...more,
  },
});

/** A linked project with the feature on, and what runs in its base environment. */
async function given(fields: Partial<ProjectSpec> = {}, services: readonly CoreApp[] = [service('web')]) {
  putCluster(served.world);
  served.world.cluster.put(connections, {
    ...typeMeta(coreGitHostConnection),
    metadata: inSystem('shop-git'),
    spec: { project: 'shop', secretRef: { name: 'shop-git-token' }, installationID: 1 },
  });
  putProject(served.world, {
    gitConnectionRef: { name: 'shop-git' },
    prEnvironments: { enabled: true, maxOpen: 2 },
    ...fields,
  });
  for (const one of services) served.world.cluster.put(apps, one);
  await until(() => cached()?.status?.phase === 'ProjectReady', 'the project is ready');
  await until(() => services.every(({ metadata }) => served.operator.caches.get(apps, metadata.name)), 'services');
}
const isOpen = (environment: string) => () =>
  entries().some((one) => one.environment === environment && one.openedAt !== undefined);

spec(
  'GIT-001 GIT-008 GIT-009 GIT-011 GIT-012 GIT-014 GIT-023 GIT-032 a pull request gets an environment with copies of the services and variables',
  async () => {
    await given({ sharedVariables: [{ name: 'LEVEL', environment: 'production', value: 'debug' }] }, [
      service('web', { networking: { host: 'shop.example' }, sharedVariableRefs: ['LEVEL'] }),
      service('worker', { source: { git: { repository: 'demo/other', branch: 'main', waitForCI: false } } }),
      service('draft', { deploy: { enabled: false } }),
    ]);
    const { pullRequests } = await tell();
    assert.equal(pullRequests, [{ project: 'shop', environment: 'pr-7', note: 'environment pr-7 is opened' }]);
    await until(isOpen('pr-7'), 'it is open');
    assert.equal(cached()?.spec.environments, ['production', 'pr-7']);
    const copies = appsIn('pr-7');
    assert.equal(copies.map(({ metadata }) => metadata.name).toSorted(), ['web-pr-7', 'worker-pr-7']);
    const [web, worker] = copies.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
    assert.equal([web?.spec.source.git?.branch, worker?.spec.source.git?.branch], ['feature', 'main']);
    assert.equal([web?.spec.networking, web?.spec.deploy.enabled], [undefined, true]);
    assert.equal(
      cached()?.spec.sharedVariables?.map(({ environment, value }) => [environment, value]),
      [
        ['production', 'debug'],
        ['pr-7', 'debug'],
      ],
    );
    const [entry] = entries();
    assert.equal([entry?.number, entry?.repository, entry?.branch], [7, 'demo/shop', 'feature']);
    assert.equal(moves(), ['pr-7 (none) environmentOpened Opening', 'pr-7 Opening copied Open']);
  },
);

spec('GIT-018 GIT-038 a closed pull request removes its environment with all resources, then its entry', async () => {
  await given({ sharedVariables: [{ name: 'LEVEL', environment: 'production', value: 'debug' }] });
  await tell();
  await until(isOpen('pr-7'), 'it is open');
  const note = 'pull request closed; deleting its environment';
  assert.is(await noteOf({ action: 'closed' }), note);
  await until(() => entries().length === 0, 'the entry is deleted');
  assert.equal(cached()?.spec.environments, ['production']);
  assert.equal(appsIn('pr-7'), []);
  assert.equal(cached()?.spec.sharedVariables?.length, 1);
  assert.equal(appsIn('production').length, 1);
  assert.equal(moves().slice(2), ['pr-7 Open closed Closing', 'pr-7 Closing removed (deleted)']);
  assert.is(await noteOf({ action: 'closed' }), 'no environment of this pull request is open');
  assert.is(await noteOf({ action: 'reopened' }), 'environment pr-7 is opened');
});

spec(
  'GIT-013 GIT-015 GIT-016 GIT-017 in-cluster databases are copied empty and without backups, and external ones are not',
  async () => {
    await given({}, []);
    const inCluster = databaseOf({ engine: 'Redis', deploy: { enabled: true } });
    const placed = { project: 'shop', environment: 'production' };
    served.world.cluster.put(databases, { ...inCluster, spec: { ...inCluster.spec, ...placed } });
    const external = databaseOf({
      engine: 'Postgres',
      placement: 'External',
      externalHost: 'db.example',
      username: 'u',
    });
    served.world.cluster.put(databases, {
      ...external,
      metadata: { ...external.metadata, name: 'elsewhere' },
      spec: { ...external.spec, ...placed },
    });
    const connectionRefs = [
      { kind: 'CoreDatabase', name: 'orders', variable: 'CACHE', key: 'uri' },
      { kind: 'CoreDatabase', name: 'elsewhere', variable: 'DB', key: 'uri' },
    ] as const;
    served.world.cluster.put(apps, service('web', { connectionRefs }));
    await until(() => served.operator.caches.get(databases, 'elsewhere'), 'databases');
    await until(() => served.operator.caches.get(apps, 'web'), 'the service');
    await tell();
    await until(isOpen('pr-7'), 'it is open');
    const copies = databasesIn('pr-7');
    assert.equal(
      copies.map(({ metadata }) => metadata.name),
      ['orders-pr-7'],
    );
    assert.equal([copies[0]?.spec.backup, copies[0]?.spec.deploy?.enabled], [undefined, true]);
    assert.equal(appsIn('pr-7')[0]?.spec.connectionRefs, [{ ...connectionRefs[0], name: 'orders-pr-7' }]);
  },
);

spec('GIT-010 GIT-033 the environment of a second repository with the same number contains its name', async () => {
  const api = service('api', { source: { git: { repository: 'demo/API.v2', branch: 'main', waitForCI: false } } });
  await given({}, [service('web'), api]);
  await tell();
  await until(isOpen('pr-7'), 'the first is open');
  const { pullRequests } = await tell({ repository: 'demo/API.v2' });
  assert.is(pullRequests[0]?.environment, 'pr-7-api-v2');
  await until(isOpen('pr-7-api-v2'), 'the second is open');
  assert.equal(cached()?.spec.environments, ['production', 'pr-7', 'pr-7-api-v2']);
});

spec(
  'GIT-019 GIT-020 GIT-021 GIT-024 GIT-025 GIT-034 GIT-035 GIT-036 a pull request without an environment is answered with the reason',
  async () => {
    await given({ prEnvironments: { enabled: true, maxOpen: 1 } });
    const through = "pull request events count only through the platform's Git host application";
    assert.is(await noteOf({ installation: null }), through);
    assert.is(await noteOf({ installation: 2 }), through);
    assert.is(await noteOf({ base: 'next' }), 'no service of the base environment builds next of demo/shop');
    assert.is(await noteOf({ from: 'mallory/shop' }), 'pull requests of forks get no environment');
    assert.is(await noteOf({ from: null }), 'pull requests of forks get no environment');
    assert.is(await noteOf({ draft: true }), 'a draft gets no environment before it is ready for review');
    assert.equal((await tell({ repository: 'demo/unknown' })).pullRequests, []);
    assert.is((await tell({ action: 'labeled' })).note, 'this event of a pull request is not acted on');
    assert.equal([entries(), cached()?.spec.environments], [[], ['production']]);
    assert.is(await noteOf({ action: 'ready_for_review', draft: true }), 'environment pr-7 is opened');
    assert.is(await noteOf({ number: 8 }), 'the limit of 1 pull request environments is reached');
    putProject(served.world, { prEnvironments: { enabled: false, maxOpen: 1 } });
    await until(() => cached()?.spec.prEnvironments?.enabled === false, 'it is off');
    assert.is(await noteOf({ number: 9 }), 'pull request environments are off in this project');
  },
);

spec('GIT-022 a pull request of an unlinked project gets no environment', async () => {
  await given({ gitConnectionRef: { name: 'another' } });
  assert.is(await noteOf(), 'the project is not linked to the Git host');
});

spec('GIT-037 a new head of a pull request is recorded and rebuilds its services', async () => {
  await given();
  await tell();
  await until(isOpen('pr-7'), 'it is open');
  const note = 'pull request updated; rebuilding its services';
  assert.is(await noteOf({ action: 'synchronize', sha: 'c'.repeat(40) }), note);
  await until(() => entries()[0]?.head === 'c'.repeat(40), 'the head is recorded');
  assert.is(await noteOf(), 'the environment of this pull request is open already');
});

spec('GIT-038 a pull request closed during the creation of its environment leaves none', async () => {
  await given();
  await Promise.all([tell(), tell({ action: 'closed' })]);
  await tell({ action: 'closed' });
  await until(
    () => entries().length === 0 && !cached()?.spec.environments.includes('pr-7'),
    'the environment is deleted',
  );
  assert.equal(appsIn('pr-7'), []);
});

spec('GIT-012 secret variables of a service are copied and deleted with the copy', async () => {
  await given({}, []);
  served.world.cluster.put(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: inSystem('web-variables'),
    data: { 'TOKEN.1': Buffer.from('hush').toString('base64') },
  });
  served.world.cluster.put(apps, service('web', { secretVariables: { TOKEN: '1' } }));
  await until(() => served.operator.caches.get(apps, 'web'), 'the service');
  await tell();
  await until(isOpen('pr-7'), 'it is open');
  const copied = () =>
    served.world.cluster.all(secrets).filter(({ metadata }) => metadata.name === 'web-pr-7-variables');
  assert.is(copied()[0]?.data?.['TOKEN.1'], Buffer.from('hush').toString('base64'));
  await tell({ action: 'closed' });
  await until(() => entries().length === 0, 'the entry is deleted');
  assert.equal(copied(), []);
  assert.ok(await Effect.runPromise(served.world.cluster.get(secrets, { name: 'web-variables' })));
});

spec('GIT-012 the name of a copy has at most 36 characters and depends on both names', () => {
  assert.is(copyName('web', 'pr-7'), 'web-pr-7');
  const long = copyName('a'.repeat(36), 'pr-7');
  assert.is(long.length, 36);
  assert.not.equal(long, copyName('a'.repeat(36), 'pr-8'));
});

spec('UI-008 PRJ-073 pull request settings are saved, with the first environment as the default base', async () => {
  await given({ environments: ['production', 'staging'] });
  const save = (body: object) => served.post('/api/v1/projects/shop/pr-environments/save', body);
  assert.is((await save({ enabled: true, maxOpen: 3 })).status, 200);
  assert.equal(cached()?.spec.prEnvironments, { enabled: true, maxOpen: 3 });
  assert.is(baseOf(cached() as CoreProject), 'production');
  assert.is((await save({ enabled: true, baseEnvironment: 'staging' })).status, 200);
  assert.equal(cached()?.spec.prEnvironments, { enabled: true, maxOpen: 3, baseEnvironment: 'staging' });
  assert.is(baseOf(cached() as CoreProject), 'staging');
  assert.is((await save({ enabled: false, baseEnvironment: '' })).status, 200);
  assert.equal(cached()?.spec.prEnvironments, { enabled: false, maxOpen: 3 });
  assert.is((await save({ enabled: true, baseEnvironment: 'qa' })).status, 400);
  assert.is((await save({ enabled: true, maxOpen: 26 })).status, 400);
});

spec('GIT-023 the pull requests of a project are listed, without repository and address for a viewer', async () => {
  await given();
  await tell();
  await until(isOpen('pr-7'), 'it is open');
  const path = '/api/v1/projects/shop/pull-requests';
  const [whole] = ((await served.ask(path)).json() as Items<PullRequestItem>).items;
  assert.equal(
    [whole?.number, whole?.branch, whole?.environment, whole?.state, whole?.repository],
    [7, 'feature', 'pr-7', 'Open', 'demo/shop'],
  );
  const { token } = await served.makeToken({ role: 'viewer' });
  const [seen] = ((await served.askAs(token, path)).json() as Items<PullRequestItem>).items;
  assert.equal([seen?.number, seen?.state, seen?.repository, seen?.url], [7, 'Open', '', '']);
  const instance = '/api/v1/machines/pullRequestEnvironment/instances/coreprojects:shop:pr-7';
  assert.is(((await served.askAs(token, instance)).json() as Instance).state, 'Open');
});

spec.run();

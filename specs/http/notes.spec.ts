import * as assert from 'uvu/assert';
import type { StoredCause } from '../../crds/cause.ts';
import { annotation, systemNamespace } from '../../crds/names.ts';
import type { Explanations } from '../../http/api.ts';
import { notesOf } from '../../http/views/notes.ts';
import type { View } from '../../rules/access/needs.ts';
import { standingRefusal } from '../../rules/pullRequestEnvironment/standing.ts';
import { hidden, sentence } from '../../rules/words.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import { projects } from '../../runtime/services/cluster/kinds.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { serve, type Served } from './served.ts';

const spec = suite('notes of explanations');
let served: Served;
spec.before.each(async () => {
  served = await serve();
});
spec.after.each(() => served.stop());

const crash: StoredCause = {
  of: 'Ready',
  reason: 'CrashLoop',
  severity: 'failure',
  message: 'the program ends by itself: exit code 1, 9 restarts',
  params: [],
  on: { kind: 'Deployment', name: 'web', namespace: 'shop-production' },
  since: '2026-01-01T00:00:00Z',
};

/** Puts an object that no pass changes, and waits until it is cached. */
async function put(resource: Resource, name: string, fields: object): Promise<void> {
  const metadata = { name, namespace: systemNamespace, annotations: { [annotation.paused]: 'true' } };
  const { resourceVersion } = served.world.cluster.put(resource, { metadata, ...fields }).metadata;
  const isCached = () =>
    Number(served.operator.caches.get(resource, name)?.metadata.resourceVersion) >= Number(resourceVersion);
  await until(isCached, `${name} is cached`);
}

spec('DEP-057 the record of what runs reports the cause of its service, to each role as it may read it', () => {
  const missing = sentence('Secret "{name}" is missing', { name: hidden('token') });
  const causeIs = (...causes: readonly StoredCause[]) =>
    ({
      caches: {
        get: (_: Resource, name: string) =>
          name === 'web' ? { metadata: { name }, spec: {}, status: { causes } } : undefined,
      },
    }) as never;
  const notes = (cause: readonly StoredCause[], view: View, name = 'web-active') =>
    notesOf(causeIs(...cause), 'CoreDeployment', { metadata: { name } }, view).map(({ text }) => text);
  assert.equal(notes([crash], 'viewer'), [`The service: ${crash.message}`]);
  const hiding = { ...crash, reason: 'SecretMissing', message: missing.text, params: missing.params };
  assert.equal(notes([hiding], 'whole'), ['The service: Secret "token" is missing']);
  assert.equal(notes([hiding], 'viewer'), ['The service: Secret "…" is missing']);
  assert.equal(notes([], 'whole'), []);
  assert.equal(notes([crash], 'whole', 'web-x2b4c'), [], 'the record of a deploy reports no copy');
});

spec('GIT-022 a project reports which precondition keeps every pull request from an environment', async () => {
  const fields = { clusterRef: { name: 'default' }, environments: ['production'] };
  const notes = async () => {
    const { items } = (await served.ask('/api/v1/projects/shop/explain')).json() as Explanations;
    return items.find(({ machine }) => machine === 'projectReady')?.notes.map((note) => note.text);
  };
  await put(projects, 'shop', { spec: { ...fields, prEnvironments: { enabled: true } } });
  assert.equal(await notes(), ['None gets an environment now: the project is not linked to the Git host']);
  await put(projects, 'shop', { spec: { ...fields, prEnvironments: { enabled: false } } });
  assert.equal(await notes(), []);
});

spec('GIT-024 the limit of open pull requests keeps a linked project from further environments', () => {
  const entry = { number: 1, repository: 'demo/web', environment: 'pr-1' };
  const project = {
    project: 'shop',
    enabled: true,
    link: 'linked',
    baseServices: [],
    maxOpen: 1,
    environments: [],
  } as const;
  assert.is(
    standingRefusal({ ...project, open: [entry] })?.text,
    'the limit of 1 pull request environments is reached',
  );
  assert.is(standingRefusal({ ...project, open: [] }), null);
});

spec.run();

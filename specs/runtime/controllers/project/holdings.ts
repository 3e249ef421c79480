import { Effect } from 'effect';
import { coreApp } from '../../../../crds/coreApp.ts';
import { coreCloudConnection } from '../../../../crds/coreCloudConnection.ts';
import { coreGitHostConnection } from '../../../../crds/coreGitHostConnection.ts';
import { coreLogicalDatabase } from '../../../../crds/coreLogicalDatabase.ts';
import { coreObjectStore } from '../../../../crds/coreObjectStore.ts';
import { coreProject, type CoreProject } from '../../../../crds/coreProject.ts';
import { type KubeObject, typeMeta } from '../../../../crds/kind.ts';
import { annotation, label } from '../../../../crds/names.ts';
import { environmentDeletion, wholeDeletion } from '../../../../rules/project/deletion.ts';
import { databaseController } from '../../../../runtime/controllers/database/controller.ts';
import { projectController } from '../../../../runtime/controllers/project/controller.ts';
import * as kinds from '../../../../runtime/services/cluster/kinds.ts';
import { everyKind } from '../../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { namespaces, secrets } from '../../../../runtime/services/cluster/resources.ts';
import { Unavailable, type Resource } from '../../../../runtime/services/cluster/cluster.ts';
import type { Gate } from '../../../../runtime/services/gate.ts';
import { workflow } from '../../../support/database.ts';
import { inSystem, putCluster } from '../../../support/project.ts';
import { virtualTime } from '../../../support/virtualTime.ts';
import { makeTestEnvironment, type TestEnvironment } from '../../../support/environment.ts';
import { databaseOf } from '../database/databaseOf.ts';

const encoded = (text: string) => Buffer.from(text).toString('base64');

/** Projects that hold the same, one of each kind in every environment. */
interface Held {
  readonly projects: readonly string[];
  readonly environments: readonly string[];
}
const everything: Held = { projects: ['shop', 'bank'], environments: ['production', 'staging'] };
/** What stands for the API tokens of a project: whoever issues them revokes those of one that is being deleted. */
const tokenSecret = 'tokens';

function putHoldings({ cluster }: TestEnvironment, project: string, environments: readonly string[]): void {
  const variables = environments.flatMap((environment) => [
    { name: 'LEVEL', environment, value: 'debug' },
    {
      name: 'TOKEN',
      environment,
      value: '',
      secretRef: { name: `${project}-shared-secrets`, key: `${environment}__TOKEN` },
    },
  ]);
  cluster.put(kinds.projects, {
    ...typeMeta(coreProject),
    metadata: { ...inSystem(project), generation: 1 },
    spec: { clusterRef: { name: 'local' }, environments, sharedVariables: variables },
  });
  const secret = (name: string, data: Readonly<Record<string, string>>) =>
    void cluster.put(secrets, { metadata: inSystem(`${project}-${name}`), data });
  secret('shared-secrets', { production__TOKEN: encoded('one'), staging__TOKEN: encoded('two') });
  secret('webhooks', { '0a1b2c3d': encoded('whsec') });
  secret('git-token', { token: encoded('token') });
  for (const environment of environments) {
    const named = (kind: string) => inSystem(`${project}-${environment}-${kind}`);
    const of = { project, environment };
    const deploy = { enabled: false };
    cluster.put(kinds.apps, {
      ...typeMeta(coreApp),
      metadata: named('app'),
      spec: { ...of, source: { image: 'registry.local/ready-made' }, deploy },
    });
    cluster.put(kinds.databases, {
      ...databaseOf({ ...of, deploy }),
      metadata: { ...named('database'), annotations: workflow },
    });
    cluster.put(kinds.logicalDatabases, {
      ...typeMeta(coreLogicalDatabase),
      metadata: named('logical'),
      spec: { ...of, serverRef: `${project}-${environment}-database`, databaseName: 'app' },
    });
    cluster.put(kinds.objectStores, {
      ...typeMeta(coreObjectStore),
      metadata: named('store'),
      spec: { ...of, mode: 'Bucket', deploy },
    });
  }
  cluster.put(kinds.cloudConnections, {
    ...typeMeta(coreCloudConnection),
    metadata: inSystem(`${project}-cloud`),
    spec: { project, provider: 'Cloud', secretRef: { name: 'keys' } },
  });
  cluster.put(kinds.connections, {
    ...typeMeta(coreGitHostConnection),
    metadata: inSystem(`${project}-git`),
    spec: { project, secretRef: { name: `${project}-git-token` } },
  });
}

const hasTokens = (
  { metadata }: CoreProject,
  reader: { get: (of: typeof secrets, name: string) => { data?: object } | undefined },
) => Object.keys(reader.get(secrets, tokenSecret)?.data ?? {}).includes(metadata.name);

/** Lets this many writes pass, and none after them; names those that it has let pass. */
export function cutGate(writes = Number.POSITIVE_INFINITY): Gate & { readonly passed: readonly string[] } {
  const passed: string[] = [];
  return {
    passed,
    through: (write) =>
      Effect.suspend(() => {
        if (passed.length >= writes) return Effect.fail(new Unavailable({ message: 'cut' }));
        passed.push(write);
        return Effect.void;
      }),
    close: () => {},
  };
}

/** All projects set up and at rest, before an operator that may be cut comes over them. */
export async function heldWorld(given: Partial<Held> = {}) {
  const { projects: names, environments } = { ...everything, ...given };
  const time = virtualTime();
  const controllers = [projectController({ hasTokens }), databaseController()];
  const fakes = makeTestEnvironment({ now: time.wall, controllers, alsoSeen: everyKind });
  putCluster(fakes);
  for (const project of names) putHoldings(fakes, project, environments);
  fakes.cluster.put(secrets, { metadata: inSystem(tokenSecret), data: { bank: encoded('a token') } });
  const start = (gate?: Gate) => time.wait(fakes.start(gate, time.over(fakes.services)));
  const pass = async (seconds: number) => {
    const until = time.now() + seconds * 1_000;
    for (let next = time.next(); next !== undefined && next <= until; next = time.next()) await time.moveTo(next);
    await time.moveTo(until);
  };
  const first = await start();
  await pass(60);
  await time.wait(first.crash());

  const all = <O extends KubeObject>(resource: Resource<O>) => fakes.cluster.all(resource);
  const project = (name = 'shop') => all(kinds.projects).find(({ metadata }) => metadata.name === name);
  const change = (patch: (of: CoreProject) => object) => {
    const found = project();
    if (found) Effect.runSync(fakes.cluster.patch(kinds.projects, { name: 'shop' }, patch(found)));
  };
  const seen: readonly Resource[] = [...everyKind, secrets, namespaces, ...Object.values(owned)];
  return {
    environment: fakes,
    time,
    project,
    pass,
    /** What DELETE writes, and how far it comes. */
    askWhole: (writes: 1 | 2 = 2) => {
      change((of) => wholeDeletion(of, 'core.platform/project'));
      if (writes === 2) Effect.runSync(fakes.cluster.remove(kinds.projects, { name: 'shop' }));
    },
    askEnvironment: (environment: string) => change((of) => environmentDeletion(of, environment)),
    /** Writes the list of environments by hand. */
    list: (...environmentsListed: readonly string[]) => change(() => ({ spec: { environments: environmentsListed } })),
    /** Makes a namespace one that was there before the project. */
    disown: (name: string) => {
      const patch = {
        metadata: {
          labels: { [label.managedBy]: null },
          annotations: { [annotation.ownerUid]: null },
        },
      };
      Effect.runSync(fakes.cluster.patch(namespaces, { name }, patch));
    },
    /** Puts a ConfigMap of somebody else into a namespace, with finalizers that keep it. */
    putHeld: (namespace: string, finalizers: readonly string[]) =>
      void fakes.cluster.put(owned.configMaps, { metadata: { name: 'held', namespace, finalizers } }),
    /** The conditions of a namespace that the API holds to be true of its deletion. */
    putStatus: (name: string, messages: readonly string[]) => {
      const conditions = messages.map((message) => ({ type: message, status: 'True', message }));
      Effect.runSync(fakes.cluster.patchStatus(namespaces, { name }, { conditions }));
    },
    labelsOf: (name: string) =>
      Object.keys(all(namespaces).find(({ metadata }) => metadata.name === name)?.metadata.labels ?? {}),
    deleteDirectly: () => Effect.runSync(fakes.cluster.remove(kinds.projects, { name: 'shop' })),
    putTokens: (...names: readonly string[]) =>
      void fakes.cluster.put(secrets, {
        metadata: inSystem(tokenSecret),
        data: Object.fromEntries(names.map((name) => [name, encoded('a token')])),
      }),
    /** An operator from its start until its gate holds everything back, or nothing is left to do. */
    session: async (gate?: Gate, seconds = 120) => {
      const { crash } = await start(gate);
      await pass(seconds);
      await time.wait(crash());
    },
    /** Everything that stands of a project, or in the namespaces of it, by kind and name. */
    standing: (of: string) => {
      const found = seen.flatMap((resource) =>
        all(resource)
          .filter(({ metadata: { name, namespace = '' } }) => name.startsWith(of) || namespace.startsWith(of))
          .map(({ metadata: { name, namespace = '' } }) => `${resource.kind} ${namespace}/${name}`),
      );
      return [...new Set(found)].toSorted();
    },
    /** The versions of everything of a project. */
    versions: (of: string) =>
      seen.flatMap((resource) =>
        all(resource)
          .filter(({ metadata: { name, namespace = '' } }) => name.startsWith(of) || namespace.startsWith(of))
          .map(({ metadata: { name, resourceVersion } }) => `${resource.kind} ${name} ${resourceVersion}`),
      ),
  };
}

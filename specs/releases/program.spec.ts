import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import type { CoreApp } from '../../crds/coreApp.ts';
import { kinds } from '../../crds/kinds.ts';
import { type CustomResourceDefinition, manifestOf } from '../../crds/manifest.ts';
import type { Schema } from '../../crds/schema.ts';
import { edit } from '../../runtime/command/edit.ts';
import { Cluster, type ClusterShape } from '../../runtime/services/cluster/cluster.ts';
import { apps } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { databaseSession } from '../runtime/controllers/database/session.ts';
import { deploy, running, withSession } from '../runtime/controllers/service/session.ts';
import { serveKinds } from '../support/memory/types.ts';
import { inSystem } from '../support/project.ts';
import { draft, serviceName } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { releases } from './releases.ts';

const spec = suite('the program with kinds of other releases');
spec.after.each(() => serveKinds());

/** How often what waits is looked at. */
const lookSeconds = 30;

/** Counts writes of objects, also those that change nothing because what they write is pruned. */
function counting() {
  let writes = 0;
  const counted = <A, E>(write: Effect.Effect<A, E>) => Effect.suspend(() => (writes++, write));
  return {
    writes: () => writes,
    through: (cluster: ClusterShape): ClusterShape => ({
      ...cluster,
      create: (resource, object) => counted(cluster.create(resource, object)),
      apply: (...given) => counted(cluster.apply(...given)),
      patch: (...given) => (given[0].plural === 'leases' ? cluster.patch(...given) : counted(cluster.patch(...given))),
      patchStatus: (...given) => counted(cluster.patchStatus(...given)),
      remove: (...given) => counted(cluster.remove(...given)),
    }),
  };
}

for (const [tag, definitions] of releases) {
  spec(`with the kinds of ${tag} a service is deployed, runs and rests`, async () => {
    serveKinds(definitions);
    const { writes, through } = counting();
    await withSession({ annotations: draft, through }, async (session) => {
      assert.is(await deploy(session), null);
      await running(session);
      await session.pass(60);
      assert.is(session.phase(), 'Ready');
      const before = writes();
      await session.pass(600);
      assert.is(writes() - before, 0, 'writes at rest');
    });
  });

  spec(`with the kinds of ${tag} a database waits: what they do not keep is written once a look, in vain`, async () => {
    serveKinds(definitions);
    const { writes, through } = counting();
    const session = await databaseSession({ spec: { deploy: { enabled: true } } }, undefined, through);
    await session.pass(120);
    const [before, { resourceVersion }] = [writes(), session.database().metadata];
    await session.pass(600);
    assert.is(session.phase(), 'Provisioning');
    assert.ok(writes() - before <= 600 / lookSeconds, `${writes() - before} writes`);
    assert.is(session.database().metadata.resourceVersion, resourceVersion);
    await session.end();
  });
}

/** A definition in which every object has one field more, which this program does not know. */
function withLaterField(definition: CustomResourceDefinition): CustomResourceDefinition {
  const grown = (schema: Schema): Schema => ({
    ...schema,
    ...(schema.items && { items: grown(schema.items) }),
    ...(schema.properties && {
      properties: {
        ...Object.fromEntries(Object.entries(schema.properties).map(([name, one]) => [name, grown(one)])),
        later: { type: 'string' },
      },
    }),
  });
  const versions = definition.spec.versions.map((version) => {
    const { openAPIV3Schema: whole } = version.schema;
    const { spec: wish = {}, status = {}, ...others } = whole.properties ?? {};
    const properties = { ...others, spec: grown(wish), status: grown(status) };
    return { ...version, schema: { openAPIV3Schema: { ...whole, properties } } };
  });
  return { ...definition, spec: { ...definition.spec, versions } };
}

const laterIn = ({ spec: wish, status }: CoreApp) =>
  [wish, wish.source, wish.deploy, wish.secretRefs?.[0], status].map(
    (one) => (one as { readonly later?: string }).later,
  );

spec('fields that only later kinds have survive passes, commands and edits', async () => {
  serveKinds(kinds.map((kind) => withLaterField(manifestOf(kind))));
  const later = { later: 'kept' } as object;
  await withSession(
    {
      annotations: draft,
      prepare: ({ cluster }) => void cluster.put(secrets, { metadata: inSystem('keys'), data: {} }),
      spec: {
        source: { image: 'nginx:1.27', ...later },
        deploy: { enabled: true, ...later },
        secretRefs: [{ name: 'keys', ...later }],
        ...later,
      },
    },
    async (session) => {
      await Effect.runPromise(session.environment.cluster.patchStatus(apps, { name: serviceName }, later));
      const all = ['kept', 'kept', 'kept', 'kept', 'kept'];
      assert.equal(laterIn(session.app()), all);
      const { generation } = session.app().metadata;
      assert.is(await deploy(session, 'r1', { replicas: 2 }), null);
      await running(session);
      await session.pass(60);
      assert.equal([session.phase(), session.app().spec.replicas], ['Ready', 2]);
      assert.ok((session.app().metadata.generation ?? 0) > (generation ?? 0), 'the command wrote the spec');
      assert.equal(laterIn(session.app()), all);
      await Effect.runPromise(
        edit(apps, serviceName, () => ({ patch: { spec: { replicas: 3 } }, result: null })).pipe(
          Effect.provideService(Cluster, session.environment.cluster),
        ),
      );
      assert.equal(laterIn(session.app()), all);
    },
  );
});

spec.run();

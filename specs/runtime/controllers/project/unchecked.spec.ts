import { Effect, Logger } from 'effect';
import * as assert from 'uvu/assert';
import { coreProject, type CoreProject } from '../../../../crds/coreProject.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { uncheckedLogged } from '../../../../runtime/controllers/project/ensures/unchecked.ts';
import { Cluster, NotFound } from '../../../../runtime/services/cluster/cluster.ts';
import { inSystem } from '../../../support/project.ts';
import { suite } from '../../../support/suite.ts';
import { makeTestEnvironment } from '../../../support/environment.ts';

const spec = suite('the missing admission policy for pods');

const projectOf = (...requiredTags: readonly string[]): CoreProject => ({
  ...typeMeta(coreProject),
  metadata: inSystem('shop'),
  spec: { clusterRef: { name: 'local' }, environments: ['production'], requiredTags },
});

/** Runs the ensure over projects in turn; what it logs, and how often it asks for the policy. */
async function played(policy: 'served' | 'missing', projects: readonly CoreProject[]) {
  const environment = makeTestEnvironment();
  const logged: string[] = [];
  let asked = 0;
  const cluster = {
    ...environment.cluster,
    get: () =>
      Effect.suspend(() => {
        asked++;
        return policy === 'served'
          ? Effect.succeed({ metadata: { name: 'core-required-node-tags' } } as never)
          : Effect.fail(new NotFound({ what: 'validatingadmissionpolicies "core-required-node-tags"' }));
      }),
  };
  const logger = Logger.layer([Logger.make(({ message }) => void logged.push(String(message)))]);
  const ensure = uncheckedLogged();
  for (const object of projects)
    await Effect.runPromise(
      ensure
        .run({ object, reader: undefined as never, entered: false, move: undefined as never, add: undefined as never })
        .pipe(
          Effect.provide(logger),
          Effect.provideService(Cluster, cluster),
          Effect.provideContext(environment.services),
        ),
    );
  return { logged, asked };
}

const text = 'required tags of pods not enforced';

spec('NET-015 NET-016 a missing admission policy is logged once when projects have required tags', async () => {
  assert.equal(await played('missing', [projectOf(), projectOf('pci'), projectOf('gpu')]), {
    logged: [text],
    asked: 1,
  });
  assert.equal(await played('served', [projectOf('pci'), projectOf('gpu')]), { logged: [], asked: 1 });
  assert.equal(await played('missing', [projectOf()]), { logged: [], asked: 0 });
});

spec.run();

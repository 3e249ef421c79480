import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../crds/kind.ts';
import { type Ensure, holds } from '../../runtime/contract/ensure.ts';
import { deployments } from '../../runtime/services/cluster/kinds.ts';
import { unrecordedDeploys } from '../../rules/deploymentRecord/deploys.ts';
import { recordOf } from '../../rules/deploymentRecord/record.ts';
import type { CoreApp } from '../../crds/coreApp.ts';
import { Cluster } from '../../runtime/services/cluster/cluster.ts';
import type { Plant } from './bugs/bug.ts';
import { withCluster, withController } from './bugs/decorators.ts';
import { readPlan } from './plan/plan.ts';
import { partOf, sliceOf } from './slice.ts';
import { deploymentSubject } from './subjects/deployment.ts';
import { verify } from './verify.ts';

const spec = sliceOf('faults: a slice of the plans of deployment records', [partOf(deploymentSubject, 2)], 1_600);

const withEnsure = (name: string, run: Ensure<KubeObject>['run']): Plant =>
  withController('CoreApp', (controller) => {
    if (!controller.ensures[name]) throw new Error(`no ensure is called ${name}`);
    return { ...controller, ensures: { ...controller.ensures, [name]: { run } } };
  });

let drawn = 0;

/** Mistakes that would lose a record or make two of one, each with a plan that shows it. */
const mistakes: readonly (readonly [text: string, plant: Plant, plan: string, wrong: RegExp])[] = [
  [
    'record doubled: a record whose creation is not answered is made once more, under another name',
    withCluster((cluster) => ({
      ...cluster,
      create: (resource, object) =>
        cluster.create(resource, object).pipe(
          Effect.catchTag('Unavailable', (failure) => {
            const { metadata } = object;
            if (resource.kind !== 'CoreDeployment') return Effect.fail(failure);
            return cluster.create(resource, { ...object, metadata: { ...metadata, name: `${metadata.name}-2` } });
          }),
        ),
    })),
    'deployment / a draft is deployed / loseAnswer noticed=atOnce at=6 for=1',
    /is recorded twice/,
  ],
  [
    'record named late: each pass that makes a record draws a name of its own',
    withEnsure('deploysRecorded', ({ object, reader }) =>
      Effect.gen(function* () {
        const app = object as CoreApp;
        for (const deploy of unrecordedDeploys(app)) {
          if (reader.get(deployments, deploy.name)) continue;
          yield* (yield* Cluster).create(deployments, recordOf(app, { ...deploy, name: `web-draw${++drawn}` }));
        }
        return holds;
      }),
    ),
    'deployment / a draft is deployed',
    /is recorded twice/,
  ],
  [
    'record lost: what is listed counts as recorded',
    withEnsure('deploysRecorded', () => Effect.succeed(holds)),
    'deployment / it is deployed again',
    /rests in|did not come/,
  ],
];

for (const [text, plant, plan, wrong] of mistakes)
  spec(`caught: ${text}`, async () => {
    const read = readPlan(plan, [deploymentSubject]);
    if (typeof read === 'string' || plant.is !== 'around') throw new Error(`${plan} cannot be tried`);
    assert.equal((await verify(read)).wrong, []);
    assert.match((await verify(read, plant)).wrong.join('\n'), wrong);
  });

spec.run();

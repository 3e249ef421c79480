import { Optional as optional, Type } from '@sinclair/typebox';
import { causes } from './cause.ts';
import { imageReference } from './imageReference.ts';
import { conditions, defineKind, history, type ObjectOf, observedGeneration, shape } from './kind.ts';
import { sourceLimits } from './sourceLimits.ts';
import { isUnchanged } from './unchanged.ts';

export const buildPhases = ['Pending', 'WaitingForCI', 'Running', 'Succeeded', 'Failed', 'Cancelled'] as const;

const spec = Type.Object({
  app: shape.text('Name of the CoreApp.', { maxLength: 36 }),
  project: shape.text('Project ID. The build runs on nodes of its region that carry every tag it requires.', {
    maxLength: 253,
  }),
  environment: shape.text('Environment of the service.', { maxLength: 63 }),
  repository: optional(shape.text('`owner/name` at the supported Git host.', sourceLimits.repository)),
  revision: optional(shape.text('Commit to build. Empty means the head of the branch.', sourceLimits.commit)),
  branch: optional(shape.text('Branch to clone and to resolve to a commit.', sourceLimits.branch)),
  buildfile: optional(
    shape.text('Path of the recipe relative to `context`; `Buildfile` when empty.', sourceLimits.path),
  ),
  context: optional(
    shape.text('Root directory of the build; a leading slash means the repository root.', sourceLimits.path),
  ),
  waitForCI: shape.flag('Wait until every check run of the commit has succeeded.', { default: false }),
  connectionRef: optional(shape.reference('The CoreGitHostConnection of the project.')),
  gitCredentialRef: optional(shape.reference('Secret whose `token` key is used to clone.')),
  registry: optional(imageReference('Full image reference the builder pushes to, used exactly as written.')),
  credentialRef: optional(shape.reference('Secret with the key `.registryconfigjson`.')),
  cache: shape.flag("Turns on the builder's layer cache.", { default: false }),
  logStoreRef: optional(shape.reference('CoreObjectStore that receives the build log.')),
});

/** The operator may change these fields at any time: they describe access to the source, not what is built. */
const writable: readonly string[] = ['gitCredentialRef'];

const specIsKept = {
  rule: Object.keys(spec.properties)
    .filter((field) => !writable.includes(field))
    .map(isUnchanged)
    .join(' && '),
  message: 'the spec of a build is changed only through its service, which then makes a new build',
};

/** One build of a service's repository (document 000, CoreBuild). Named by a hash of its spec. */
export const coreBuild = defineKind({
  kind: 'CoreBuild',
  plural: 'corebuilds',
  shortNames: ['cb'],
  describes: 'A build: a commit resolved, checks awaited, a builder Job run, the digest of its image recorded.',
  columns: [],
  spec: Type.Object(spec.properties, { 'x-kubernetes-validations': [specIsKept] }),
  status: Type.Object({
    phase: optional(shape.text('Where the build stands; empty before the first pass.', { enum: ['', ...buildPhases] })),
    jobRef: optional(shape.text('The Job that runs the build.')),
    image: optional(shape.text('The image pushed to.')),
    imageDigest: optional(shape.text('`sha256:` digest of the image the last run pushed.', { nullable: true })),
    sourceRevision: optional(shape.text('The commit built.')),
    ciState: optional(shape.text('`pending`, `success` or `failure`, while waiting for checks.')),
    ciChecks: optional(
      Type.Array(Type.String(), { description: 'Names of the check runs found; at most 50.', maxItems: 50 }),
    ),
    logRef: optional(shape.text('`pod-log://<job>/builder`, or `object://<store>/builds/<build>.log` once archived.')),
    failureReason: optional(shape.text('Why the build failed.')),
    retryCount: optional(shape.count('Number of failed pods of the Job.')),
    startedAt: optional(shape.time('When the Job was created; names the run.', { nullable: true })),
    completedAt: optional(shape.time('When the build succeeded.', { nullable: true })),
    head: optional(shape.text('The newest known head of the branch: reported by a webhook, found or resolved.')),
    deliveries: optional(
      Type.Array(Type.String(), {
        description: 'Pushes that were taken, by the ids of their deliveries; the newest 20.',
        maxItems: 20,
      }),
    ),
    cancelRequested: optional(shape.flag('Set to true to stop the build.')),
    lastLogLine: optional(shape.text("Shown in the dashboard's build log when set.")),
    conditions: optional(conditions),
    observedGeneration: optional(observedGeneration),
    causes: optional(causes),
    history: optional(history),
  }),
});

export type CoreBuild = ObjectOf<typeof coreBuild>;
export type BuildSpec = CoreBuild['spec'];
export type BuildStatus = NonNullable<CoreBuild['status']>;

import type { VerdictRule } from '../verdict.ts';
import { hidden, open, sentence } from '../words.ts';
import { environmentMissing, projectMissing } from '../project/missing.ts';
import { registryMissing } from '../build/registry.ts';
import { serviceWaits } from '../draftDeploy/gate.ts';

/** The facts about a service and about the source of its image. */
export interface AppSeen {
  readonly draft: boolean;
  readonly source: 'image' | 'git' | 'function';
  readonly project: string;
  readonly environment: string;
  readonly projectSeen: 'absent' | 'withoutEnvironment' | 'fine';
  /** The project's connection to the Git host, in the parts that a build needs. */
  readonly connection: { readonly name: string; readonly is: 'none' | 'absent' | 'found' };
  readonly secret: { readonly name: string; readonly found: boolean };
  readonly registry: string;
  readonly buildPhase: string;
  readonly buildFailure: string;
  readonly resolvedImage: string;
}

const waitsForBuild = open('Git source is waiting for a successful build');
const isGit = ({ source }: AppSeen) => source === 'git';

/** The Ready condition of a service, in the order checked. */
export const appReady: readonly VerdictRule<AppSeen>[] = [
  {
    reason: 'Draft',
    status: 'False',
    when: ({ draft }) => draft,
    message: () => serviceWaits,
  },
  {
    reason: 'ReconcileError',
    status: 'False',
    when: ({ projectSeen }) => projectSeen === 'absent',
    message: ({ project }) => projectMissing(project),
  },
  {
    reason: 'ReconcileError',
    status: 'False',
    when: ({ projectSeen }) => projectSeen === 'withoutEnvironment',
    message: ({ project, environment }) => environmentMissing(project, environment),
  },
  {
    reason: 'ReconcileError',
    status: 'False',
    when: (app) => isGit(app) && app.connection.is === 'absent',
    message: ({ connection }) =>
      sentence('Git host connection "{connection}" was not found', { connection: hidden(connection.name) }),
  },
  {
    reason: 'ReconcileError',
    status: 'False',
    when: (app) => isGit(app) && app.connection.is === 'found' && !app.secret.found,
    message: ({ connection, secret }) =>
      sentence('Secret "{secret}" of Git host connection "{connection}" was not found', {
        secret: hidden(secret.name),
        connection: hidden(connection.name),
      }),
  },
  {
    reason: 'ReconcileError',
    status: 'False',
    when: (app) => isGit(app) && app.registry === '',
    message: () => registryMissing,
  },
  // A newer build that fails or waits does not affect the image that was built before.
  {
    reason: 'BuildFailed',
    status: 'False',
    when: (app) => isGit(app) && app.resolvedImage === '' && app.buildFailure !== '',
    message: () => waitsForBuild,
  },
  {
    reason: 'WaitingForBuild',
    status: 'False',
    when: (app) => isGit(app) && app.resolvedImage === '',
    message: () => waitsForBuild,
  },
  // Everything below needs a Deployment, which this version does not create, so Ready reports that instead.
  {
    reason: 'ImageResolved',
    status: 'Unknown',
    when: ({ source }) => source !== 'function',
    message: ({ resolvedImage }) =>
      sentence('{resolvedImage} is ready to run; this version does not start workloads yet', {
        resolvedImage: hidden(resolvedImage),
      }),
  },
  {
    reason: 'FunctionAccepted',
    status: 'Unknown',
    when: () => true,
    message: () => open('the function is accepted; this version does not start workloads yet'),
  },
];

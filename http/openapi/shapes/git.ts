import { Optional as optional, Type } from '@sinclair/typebox';
import { type ReadonlyStatic, oneOf, orNull, text, time } from '../kit.ts';

const id = Type.Integer({ minimum: 1, description: 'An installation of the application at the Git host.' });

export const installation = Type.Object(
  { id, account: text('The owner of the repositories.') },
  { title: 'GitInstallation' },
);
/** GET /api/v1/git/installations */
export type GitInstallation = ReadonlyStatic<typeof installation>;

export const installationAsked = Type.Object({ installationID: id });

export const repository = Type.Object(
  {
    name: text('`owner/name`.'),
    defaultBranch: text(),
    private: Type.Boolean(),
  },
  { title: 'GitRepository' },
);
/** GET /api/v1/projects/{project}/git/repositories */
export type GitRepository = ReadonlyStatic<typeof repository>;

export const prEnvironmentsAsked = Type.Object({
  enabled: Type.Boolean(),
  baseEnvironment: optional(text('The environment that is copied; the first one when empty.')),
  maxOpen: optional(Type.Integer({ minimum: 1, maximum: 25, description: 'Most of them at a time.' })),
});

export const pullRequestItem = Type.Object(
  {
    number: Type.Integer(),
    branch: text(),
    targetBranch: text(),
    environment: text(),
    state: oneOf('Opening', 'Open', 'Closing'),
    openedAt: orNull(time('When its environment was made.')),
    repository: text('`owner/name`; empty for those who may not read it.'),
    url: text('Its address at the Git host; empty for those who may not read it.'),
  },
  { title: 'PullRequest' },
);
/** GET /api/v1/projects/{project}/pull-requests */
export type PullRequestItem = ReadonlyStatic<typeof pullRequestItem>;

import { Optional as optional, Type } from '@sinclair/typebox';
import { conditions, defineKind, type ObjectOf, observedGeneration, shape } from './kind.ts';

/** A project's link to the Git host: the Secret with its token, which the platform's application renews. */
export const coreGitHostConnection = defineKind({
  kind: 'CoreGitHostConnection',
  plural: 'coregithostconnections',
  shortNames: ['cgc'],
  describes: "A project's link to the Git host: where its token is kept and how it is renewed.",
  columns: [
    { name: 'Project', type: 'string', jsonPath: '.spec.project' },
    { name: 'Account', type: 'string', jsonPath: '.spec.account' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  spec: Type.Object({
    project: shape.text('Project ID.', { minLength: 1 }),
    secretRef: shape.reference('Secret whose key `token` holds the token, by custom `<project>-git-token`.'),
    installationID: optional(
      shape.count("Installation of the platform's Git host application; without it the token is never renewed.", {
        format: 'int64',
        minimum: 1,
      }),
    ),
    account: optional(shape.text('Owner of the repositories at the Git host.')),
  }),
  status: Type.Object({
    tokenExpiresAt: optional(shape.time('When the token in the Secret ends.', { nullable: true })),
    conditions: optional(conditions),
    observedGeneration: optional(observedGeneration),
  }),
});

export type CoreGitHostConnection = ObjectOf<typeof coreGitHostConnection>;

import { Optional as optional, Type } from '@sinclair/typebox';
import { type ReadonlyStatic, anyFields, text } from '../kit.ts';

const value = Type.String({ minLength: 1, maxLength: 16_384 });

export const gitAppAsked = Type.Object({
  appId: value,
  clientId: value,
  clientSecret: value,
  slug: value,
  privateKey: value,
  webhookSecret: value,
});

export const manifestAsked = Type.Object({
  code: optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,200}$', description: 'What the Git host sent back.' })),
  state: optional(text('What it was sent with.')),
});
export const manifestStep = Type.Object(
  {
    name: text('The platform configuration.'),
    state: text('What was done, in a word.'),
    address: optional(text('Where the form with the manifest is posted to.')),
    manifest: optional(anyFields),
  },
  { title: 'ManifestStep' },
);
/** POST /api/v1/settings/git-app/manifest */
export type ManifestStep = ReadonlyStatic<typeof manifestStep>;

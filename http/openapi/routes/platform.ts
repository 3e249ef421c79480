import { Type } from '@sinclair/typebox';
import { anyFields, text } from '../kit.ts';
import { read, type Schemas } from '../schema.ts';
import { platform } from '../shapes/access.ts';
import { bootstrap } from '../shapes/platform.ts';

const version = Type.Object({ api: Type.Literal('v1'), version: text('Of this release.') }, { title: 'Version' });

/** The properties of this installation that a client needs. */
export const platformSchemas = {
  'GET /version': {
    group: 'Platform',
    summary: 'Tells the version of the API and of the release.',
    path: {},
    answers: read(version, 'The versions.'),
  },
  'GET /openapi.json': {
    group: 'Platform',
    summary: 'Describes this API.',
    path: {},
    answers: read(anyFields, 'This description, by OpenAPI 3.1.'),
  },
  'GET /platform': {
    group: 'Platform',
    summary: 'Tells where repositories are pushed to.',
    path: {},
    answers: read(platform, 'The address.'),
  },
  'GET /bootstrap': {
    group: 'Platform',
    summary: 'Reads the whole platform at once.',
    path: {},
    answers: read(bootstrap, 'A list for every kind, as its readers may see it.'),
  },
} as const satisfies Schemas<'GET /version' | 'GET /openapi.json' | 'GET /platform' | 'GET /bootstrap'>;

import { Type } from '@sinclair/typebox';
import { anyFields, text } from '../kit.ts';
import { pageQuery, pageRefusals } from '../paging.ts';
import { read, type SomeSchemas } from '../schema.ts';
import { platform } from '../shapes/access.ts';
import { bootstrap } from '../shapes/platform.ts';

const version = Type.Object(
  { api: Type.Literal('v1'), version: text('The version of this release.') },
  { title: 'Version' },
);

/** The properties of this installation that a client needs. */
export const platformSchemas = {
  'GET /version': {
    group: 'Platform',
    summary: 'Returns the versions of the API and of the release.',
    path: {},
    answers: read(version, 'The versions.'),
  },
  'GET /openapi.json': {
    group: 'Platform',
    summary: 'Describes this API.',
    path: {},
    answers: read(anyFields, 'This description, in OpenAPI 3.1.'),
  },
  'GET /platform': {
    group: 'Platform',
    summary: 'Returns the address of the Git host.',
    path: {},
    answers: read(platform, 'The address.'),
  },
  'GET /bootstrap': {
    group: 'Platform',
    summary: 'Reads all objects of the platform at once, or in pages over all its lists.',
    path: {},
    query: Type.Object(pageQuery),
    answers: read(bootstrap, 'A list for every kind, with the fields that the caller may read.'),
    refusals: pageRefusals,
  },
} as const satisfies SomeSchemas;

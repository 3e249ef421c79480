import type { ResourceType } from '../kinds/type.ts';
import type { Document } from './component.ts';
import { pathsOf } from './paths.ts';
import { schemasOf } from './schemas.ts';

/** The OpenAPI 3 document of one version of a group. */
export const groupDocument = (types: readonly ResourceType[], info: Document): Document => ({
  openapi: '3.0.0',
  info,
  paths: inOrder(types.flatMap((type) => pathsOf(type, 'v3'))),
  components: { schemas: schemasOf(types, 'v3') },
});

const inOrder = (paths: readonly (readonly [string, Document])[]): Document =>
  Object.fromEntries(paths.toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** The OpenAPI 2 document of everything that is served. */
export const wholeDocument = (types: readonly ResourceType[], info: Document): Document => ({
  swagger: '2.0',
  info,
  paths: Object.fromEntries(types.flatMap((type) => pathsOf(type, 'v2'))),
  definitions: schemasOf(types, 'v2'),
});

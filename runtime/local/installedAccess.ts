import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Json } from '../embedded/index.ts';

/** The access kinds in `crds/install`. */
export const accessKinds = ['ServiceAccount', 'Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'] as const;
export type AccessKind = (typeof accessKinds)[number];

export const accessKindOf = (object: Json): AccessKind | undefined =>
  accessKinds.find((kind) => kind === object['kind']);

/** The accounts, roles and bindings that the YAML files of a folder declare. */
export const accessIn = (folder: string): readonly Json[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .toSorted()
    .flatMap((name) => parseAllDocuments(readFileSync(join(folder, name), 'utf8')))
    .map((document) => (document.toJS() ?? {}) as Json)
    .filter((object) => accessKindOf(object) !== undefined);

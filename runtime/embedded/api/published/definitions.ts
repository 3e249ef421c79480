import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileDefinitions } from './compile.ts';
import type { Definition } from './definition.ts';

/** Beside the bundle stands what the build compiled; from source it is compiled when it is first needed. */
function definitionsText(): string {
  const built = fileURLToPath(new URL('definitions.ndjson', import.meta.url));
  if (existsSync(built)) return readFileSync(built, 'utf8');
  const client = createRequire(import.meta.url).resolve('@kubernetes/client-node/package.json');
  return compileDefinitions(join(dirname(client), 'dist/gen/models'));
}

const parsed = new Map<string, Definition>();
let lines: ReadonlyMap<string, string> | null = null;

/** The lines by the names that they begin with, read when the first is asked for. */
function known(): ReadonlyMap<string, string> {
  lines ??= new Map(
    definitionsText()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
  );
  return lines;
}

/** A published type by its full name; null when there is none of that name. */
export function definition(name: string): Definition | null {
  const done = parsed.get(name);
  if (done) return done;
  const line = known().get(name);
  if (line === undefined) return null;
  const found = JSON.parse(line) as Definition;
  parsed.set(name, found);
  return found;
}

const packageOf: Readonly<Record<string, string>> = {
  'apiextensions.k8s.io': 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions',
};

/** The full name of a kind: its group without the domain, its version and itself. */
export function definitionName(group: string, version: string, kind: string): string {
  const packageName = packageOf[group] ?? `io.k8s.api.${group === '' ? 'core' : (group.split('.')[0] ?? '')}`;
  return `${packageName}.${version}.${kind}`;
}

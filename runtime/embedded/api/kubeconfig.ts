import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseDocument, stringify } from 'yaml';
import { writePrivate } from '../privateFile.ts';
import type { Names } from '../surroundings.ts';
import { at, listAt, textAt } from './json.ts';

export interface Door {
  readonly names: Pick<Names, 'program' | 'systemNamespace'>;
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

/** Whether a kubeconfig still finds the server, with a token that it knows. */
function leadsTo(text: string, cluster: object, { names, token }: Door): boolean {
  const document = parseDocument(text);
  const named = (list: string, field: string): unknown => {
    const found = listAt(document.toJS(), list).find((one) => textAt(one, 'name') === names.program);
    return at(found, field);
  };
  return (
    document.errors.length === 0 &&
    isDeepStrictEqual(named('clusters', 'cluster'), cluster) &&
    isDeepStrictEqual(named('users', 'user'), { token })
  );
}

/** Writes a file that kubectl and client-node find the server with; its absolute path. */
export function writeKubeconfig(dataDir: string, door: Door, file = 'kubeconfig'): string {
  const { names, url, ca, token } = door;
  const { program, systemNamespace } = names;
  const path = resolve(dataDir, file);
  const cluster = { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  const context = { cluster: program, user: program, namespace: systemNamespace };
  const text = stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: program, cluster }],
    users: [{ name: program, user: { token } }],
    contexts: [{ name: program, context }],
    'current-context': program,
  });
  // What else a user keeps there, such as another namespace, stays; and a full disk must not keep the server from starting.
  if (!existsSync(path) || !leadsTo(readFileSync(path, 'utf8'), cluster, door)) writePrivate(path, text);
  return path;
}

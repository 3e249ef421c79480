import { readdirSync } from 'node:fs';
import type { KubeObject } from '../../crds/kind.ts';
import { kinds } from '../../crds/kinds.ts';
import { at, listAt, textAt } from '../../runtime/embedded/api/json.ts';
import { core, inSystem, type Reply, type Started } from '../runtime/embedded/started.ts';
import { documents } from './served.ts';

export interface Written extends KubeObject {
  readonly spec?: unknown;
}

/** Every object of the samples with the file it stands in. */
export const sampleObjects = readdirSync(new URL('../../crds/samples/', import.meta.url))
  .sort()
  .flatMap((name) => documents(`samples/${name}`).map((object) => ({ name, object: object as Written })));

/** An object in core-system. */
export const ours = (kind: string, name: string, fields: object): Written => ({
  apiVersion: 'core.platform/v1alpha1',
  kind,
  metadata: { name, namespace: 'core-system' },
  spec: fields,
});

/** What only the platform writes, as it writes it. */
export const written: readonly Written[] = [
  ours('CoreBackupArchive', 'orders-0a1b2c3d', {
    project: 'bakery',
    environment: 'production',
    database: 'orders',
    databaseUID: '0a1b2c3d-0000-4000-8000-000000000000',
    serverName: 'orders-0a1b2c3d',
    storage: { connectionRef: { name: 'bakery-cloud' }, bucket: 'core-backup-bakery', region: 'eu-west-1' },
    retentionDays: 14,
    source: { engine: 'Postgres', version: '16', databaseName: 'orders', storageSize: '20Gi' },
  }),
  ours('CoreDeployment', 'oven-a1b2c', {
    app: 'oven',
    project: 'bakery',
    environment: 'production',
    image: 'registry.example.com/bakery/oven:1.4.2',
    replicas: 2,
  }),
  ours('CoreConsoleSession', 'oven-terminal', {
    app: 'oven',
    project: 'bakery',
    environment: 'production',
    pod: 'oven-0',
    container: 'oven',
    command: ['sh'],
  }),
  ours('CoreHAReadiness', 'platform', { requestedAt: '2026-03-02T09:30:00Z' }),
  ours('CoreNetworkLog', 'any', { anything: { at: ['all', 1] } }),
];

const pathOf = (kind = '') => {
  const ours = kinds.find((one) => one.kind === kind);
  return ours ? `${core}/${ours.plural}` : `${inSystem}/secrets`;
};

/** Creates an object as `kubectl create --validate=strict` does. */
export const create = ({ send }: Started, object: Written, more = ''): Promise<Reply> =>
  send('POST', `${pathOf(object.kind)}?fieldValidation=Strict${more}`, { body: object });

/** Writes an object over the one there is. */
export async function replace({ send }: Started, object: Written): Promise<Reply> {
  const path = `${pathOf(object.kind)}/${object.metadata.name}`;
  const { body } = await send('GET', path);
  const resourceVersion = textAt(body, 'metadata', 'resourceVersion');
  const metadata = { ...object.metadata, resourceVersion };
  return send('PUT', `${path}?fieldValidation=Strict`, { body: { ...object, metadata } });
}

/** What was refused of an object: each fault as `<field>: <why>`, or the whole message where no field is named. */
export function faultsIn({ code, body }: Reply): readonly string[] {
  if (code < 400) return [];
  const causes = listAt(body, 'details', 'causes');
  if (causes.length === 0) return [textAt(body, 'message')];
  return causes
    .map((cause) => `${textAt(cause, 'field')}: ${textAt(cause, 'message')}`)
    .filter((fault) => !fault.startsWith(unruled));
}

/** Of a kind with rules it is said besides that they were not looked at. */
const unruled = '<nil>: Invalid value: null: some validation rules were not checked';

/** The value at a path of what was stored. */
export const storedAt = ({ body }: Reply, path: string): unknown => at(body, ...path.split('.'));

/** The object with another value at a path, or with nothing there. */
export function changed(object: Written, path: string, value: unknown): Written {
  const copy = structuredClone(object);
  const names = path.split('.');
  const last = names.pop() ?? '';
  let here = copy as unknown as Record<string, unknown>;
  for (const name of names) {
    here[name] ??= {};
    here = here[name] as Record<string, unknown>;
  }
  if (value === undefined) delete here[last];
  else here[last] = value;
  return copy;
}

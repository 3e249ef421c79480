import { quantityOf } from '../../../../rules/owned/quantity.ts';
import { type Cause, type Json, jsonAt, numberAt, textAt, type Webhook } from '../../../embedded/index.ts';
import { isObject } from '../../../../rules/json.ts';
import { majorOf } from './server.ts';

/** The oldest major version that the operator runs. */
const oldestMajor = 13;

const invalidValue = (field: string, value: unknown, why: string): Cause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${JSON.stringify(value)}: ${why}`,
  field,
});

type Check = (spec: Json, old: Json | null) => readonly (Cause | false)[];

const externalClusters = (spec: Json): readonly Json[] => {
  const { externalClusters: all } = spec;
  return Array.isArray(all) ? all.filter(isObject) : [];
};
const isReachable = (one: Json | undefined): boolean =>
  ['connectionParameters', 'barmanObjectStore', 'plugin'].some((how) => one?.[how] !== undefined);

const bootstrap: Check = (spec) => {
  const methods = ['initdb', 'recovery', 'pg_basebackup'].filter((method) =>
    isObject(jsonAt(spec, 'bootstrap')[method]),
  );
  const source = textAt(spec, 'bootstrap', 'recovery', 'source');
  const copied = textAt(spec, 'bootstrap', 'pg_basebackup', 'source');
  const named = (name: string) => externalClusters(spec).find((one) => one['name'] === name);
  const from = (method: string) => `spec.bootstrap.${method}.source`;
  return [
    methods.length > 1 && {
      reason: 'FieldValueForbidden',
      message: 'Forbidden: Only one bootstrap method can be specified at a time',
      field: 'spec.bootstrap',
    },
    source !== '' && !named(source) && invalidValue(from('recovery'), source, `External cluster ${source} not found`),
    source !== '' &&
      !isReachable(named(source)) &&
      invalidValue(
        from('recovery'),
        source,
        `External cluster ${source} cannot be used for recovery: missing connection parameters, Barman, or CNPG-i configuration`,
      ),
    copied !== '' &&
      !named(copied) &&
      invalidValue(from('pg_basebackup'), copied, `External cluster ${copied} not found`),
  ];
};

const image: Check = (spec, old) => {
  const field = 'spec.imageName';
  const name = textAt(spec, 'imageName');
  if (name === '') return [];
  if (!/:[^/]+$/.test(name) || name.endsWith(':latest'))
    return [invalidValue(field, name, "Can't use 'latest' as image tag as we can't detect upgrades")];
  const to = majorOf(name);
  // An upgrade that did not happen may be reverted.
  const from = numberAt(old, 'status', 'pgDataImageInfo', 'majorVersion') || majorOf(textAt(old, 'spec', 'imageName'));
  return [
    to < oldestMajor &&
      invalidValue(field, name, `Unsupported PostgreSQL version. Versions ${oldestMajor} or newer are supported`),
    to < from && invalidValue(field, String(to), `can't downgrade from major ${from} to ${to}`),
  ];
};

const storage: Check = (spec, old) => {
  const size = textAt(spec, 'storage', 'size');
  if (size === '')
    return [
      invalidValue(
        'spec.storage.size',
        '',
        'Size not configured. Please add it, or a storage request in the pvcTemplate.',
      ),
    ];
  const amount = quantityOf(size);
  if (amount === null) return [invalidValue('spec.storage.size', size, "Size value isn't valid")];
  const before = textAt(old, 'spec', 'storage', 'size');
  return [
    amount < (quantityOf(before) ?? 0n) &&
      invalidValue('spec.storage', size, `can't shrink existing storage from ${before} to ${size}`),
  ];
};

const resources: Check = (spec) =>
  Object.entries({ cpu: 'CPU', memory: 'Memory' }).map(([name, called]) => {
    const request = textAt(spec, 'resources', 'requests', name);
    const limit = quantityOf(textAt(spec, 'resources', 'limits', name));
    return (
      limit !== null &&
      (quantityOf(request) ?? 0n) > limit &&
      invalidValue(`spec.resources.requests.${name}`, request, `${called} request is greater than the limit`)
    );
  });

const archive: Check = (spec) => {
  const { barmanObjectStore: store } = jsonAt(spec, 'backup');
  const isKnown = ['s3Credentials', 'azureCredentials', 'googleCredentials'].some((how) =>
    isObject(jsonAt(store)[how]),
  );
  return [
    isObject(store) &&
      !isKnown &&
      invalidValue(
        'spec.backup.barmanObjectStore',
        store,
        'missing credentials. One and only one of azureCredentials, s3Credentials and googleCredentials are required',
      ),
  ];
};

const external: Check = (spec) => {
  const all = externalClusters(spec);
  const names = all.map((one) => one['name']);
  return [
    ...all.map(
      (one, at) =>
        !isReachable(one) &&
        ({
          reason: 'FieldValueRequired',
          message: 'Required value: one of connectionParameters, plugin and barmanObjectStore is required',
          field: `spec.externalClusters[${at}]`,
        } as const),
    ),
    new Set(names).size < names.length &&
      invalidValue('spec.externalClusters', all, 'the list of external clusters contains duplicate values'),
  ];
};

const checks: readonly Check[] = [bootstrap, image, storage, resources, archive, external];

/** The validation of the Postgres operator, with its messages. */
export const clusterWebhook: Webhook = {
  name: 'vcluster.cnpg.io',
  group: 'postgresql.cnpg.io',
  plural: 'clusters',
  about: { group: 'cluster.cnpg.io', kind: 'Cluster' },
  faults: (object, old) =>
    checks.flatMap((check) => check(jsonAt(object, 'spec'), old).filter((fault) => fault !== false)),
};

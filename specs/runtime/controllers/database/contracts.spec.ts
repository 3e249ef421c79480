import { existsSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import type { DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { archiving, finalBackup, recovery, scheduledBackup } from '../../../../rules/backup/barman.ts';
import { pgOperatorChart } from '../../../../rules/database/charts.ts';
import { databaseImages } from '../../../../rules/database/images.ts';
import type { Settled } from '../../../../rules/database/settled.ts';
import { workloadObjects } from '../../../../rules/database/workload.ts';
import { suite } from '../../../support/suite.ts';
import { unless } from '../../../support/unless.ts';
import { databaseOf } from './databaseOf.ts';

const contracts = new URL('../../../../../shared/contracts/', import.meta.url);
const plain = suite('database objects against published schemas');
const spec = unless(plain, existsSync(contracts) ? null : 'the published interfaces are not here');

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
}

const read = (file: string): unknown => parse(readFileSync(new URL(file, contracts), 'utf8'));
const typeOf = (value: unknown) => {
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value)) return 'integer';
  return typeof value;
};

const isOpen = (schema: Schema) =>
  schema['x-kubernetes-preserve-unknown-fields'] === true || schema['x-kubernetes-int-or-string'] === true;
const isTyped = ({ type }: Schema, value: unknown) =>
  type === undefined || type === typeOf(value) || (type === 'number' && typeOf(value) === 'integer');

/** The paths at which a value is not as a schema wants it. */
function unfit(schema: Schema, value: unknown, path = ''): readonly string[] {
  if (isOpen(schema)) return [];
  if (!isTyped(schema, value)) return [`${path} is ${typeOf(value)}, not ${schema.type ?? ''}`];
  if (schema.enum && !schema.enum.includes(value)) return [`${path} is ${String(value)}`];
  if (Array.isArray(value)) return value.flatMap((one, at) => unfit(schema.items ?? {}, one, `${path}[${at}]`));
  return typeof value === 'object' && value !== null ? unfitFields(schema, value, path) : [];
}

function unfitFields(
  { properties = {}, additionalProperties = false, required = [] }: Schema,
  value: object,
  path: string,
): readonly string[] {
  return [
    ...required.filter((name) => !(name in value)).map((name) => `${path}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, one]): readonly string[] => {
      const of = properties[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : null);
      return of === null ? [`${path}.${name} is unknown`] : unfit(of, one, `${path}.${name}`);
    }),
  ];
}

/** The paths of values that a chart does not know; an empty map or list of its defaults takes anything. */
function unknownIn(defaults: unknown, given: unknown, path = ''): readonly string[] {
  const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
    typeOf(value) === 'object' && value !== null;
  if (!isMap(given) || !isMap(defaults) || Object.keys(defaults).length === 0) return [];
  return Object.entries(given).flatMap(([name, value]) =>
    name in defaults ? unknownIn(defaults[name], value, `${path}.${name}`) : [`${path}.${name}`],
  );
}

const published = (file: string): Schema => {
  const definition = read(file) as {
    readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[] };
  };
  return definition.spec.versions[0]?.schema.openAPIV3Schema ?? {};
};

const settled: Settled = {
  placement: { region: 'eu', tags: ['ssd'] },
  storageClass: 'core-single',
  requiredTags: ['certified'],
  firstSize: '10Gi',
  hasLogical: true,
  images: databaseImages,
};

function built(changes: Partial<DatabaseSpec>) {
  const database = databaseOf(changes);
  return workloadObjects(database, database.spec, settled);
}
const variants = [{}, { highAvailability: true, instances: 4 }];

spec('DB-071 the Postgres cluster object matches the schema of its operator', () => {
  const schema = published('postgresql.cnpg.io_clusters.yaml').properties?.['spec'] ?? {};
  for (const variant of variants)
    for (const one of built({ engine: 'Postgres', ...variant })) assert.equal(unfit(schema, one.spec), []);
});

spec(
  'BAK-007 BAK-008 BAK-020 BAK-023 backup, schedule and recovery objects of Postgres match the schemas of its operator',
  () => {
    const specOf = (file: string) => published(`postgresql.cnpg.io_${file}.yaml`).properties?.['spec'] ?? {};
    const database = databaseOf({ engine: 'Postgres' });
    const place = {
      endpoint: 'https://store.example',
      region: 'eu-west-1',
      bucket: 'core-backup-1',
      project: 'shop',
      serverName: 'orders-01234567',
    };
    for (const target of [
      { is: 'newest' },
      { is: 'time', time: '2026-01-01T00:00:00Z' },
      { is: 'point', id: '20260101T020000' },
    ] as const) {
      const given = {
        ...settled,
        archiving: archiving(database, place, 14),
        recovery: recovery(database, database.spec, { place, target }),
      };
      for (const one of workloadObjects(database, database.spec, given))
        assert.equal(unfit(specOf('clusters'), one.spec), []);
    }
    assert.equal(unfit(specOf('scheduledbackups'), scheduledBackup(database, database.spec).spec), []);
    assert.equal(unfit(specOf('backups'), finalBackup(database, database.spec).spec), []);
  },
);

spec('DB-074 DB-079 DB-085 the values of a chart are known to the published chart', () => {
  const schema = published('helm.cattle.io_helmcharts.yaml').properties?.['spec'] ?? {};
  assert.equal(unfit(schema, pgOperatorChart(databaseImages).spec), []);
  for (const engine of ['MySQL', 'Redis'] as const)
    for (const variant of variants)
      for (const one of built({ engine, ...variant })) {
        assert.equal(unfit(schema, one.spec), []);
        const values: unknown = parse((one.spec as { readonly valuesContent: string }).valuesContent);
        assert.equal(unknownIn(read(`chart-${engine.toLowerCase()}-values.yaml`), values), []);
      }
});

plain.run();

import * as assert from 'uvu/assert';
import type { DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { databaseLabels } from '../../../../rules/database/labels.ts';
import { databaseImages } from '../../../../rules/database/images.ts';
import type { Settled } from '../../../../rules/database/settled.ts';
import { sqliteObjects } from '../../../../rules/database/sqlite.ts';
import { suite } from '../../../support/suite.ts';
import { databaseOf } from './databaseOf.ts';

const spec = suite('SQLite objects');

const anywhere: Settled = {
  placement: { region: '', tags: [] },
  storageClass: '',
  requiredTags: [],
  firstSize: '1Gi',
  hasLogical: false,
  images: databaseImages,
};

interface Claim {
  readonly storageClassName?: string;
  readonly resources: { readonly requests: { readonly storage: string } };
}
interface ServiceSpec {
  readonly selector: object;
  readonly ports: readonly { readonly port: number }[];
}
interface DeploymentSpec {
  readonly replicas: number;
  readonly strategy: object;
  readonly template: PodTemplate;
}
interface PodTemplate {
  readonly metadata: { readonly labels: object; readonly annotations?: object };
  readonly spec: {
    readonly nodeSelector: object;
    readonly tolerations: readonly object[];
    readonly containers: readonly [
      {
        readonly resources: object;
        readonly args: readonly string[];
        readonly readinessProbe: object;
        readonly livenessProbe: object;
        readonly ports: readonly { readonly containerPort: number }[];
      },
    ];
    readonly volumes: readonly { readonly persistentVolumeClaim: { readonly claimName: string } }[];
  };
}

function built(changes: Partial<DatabaseSpec> = {}, settled: Settled = anywhere) {
  const database = databaseOf(changes);
  const objects = sqliteObjects(database, database.spec, settled);
  const one = (kind: string): unknown => objects.find((object) => object.kind === kind)?.spec;
  return {
    objects,
    claim: one('PersistentVolumeClaim') as Claim,
    service: one('Service') as ServiceSpec,
    deployment: one('Deployment') as DeploymentSpec,
  };
}

spec(
  'DB-077 DB-136 SQLite has a claim, a Service and a Deployment with its labels in the namespace of its environment',
  () => {
    const { objects } = built();
    assert.equal(
      objects.map(({ kind, metadata: { namespace, name } }) => `${kind} ${namespace}/${name}`),
      [
        'PersistentVolumeClaim shop-production/orders-sqlite',
        'Service shop-production/orders',
        'Deployment shop-production/orders',
      ],
    );
    const labels = databaseLabels(databaseOf({}), databaseOf({}).spec);
    for (const { metadata } of objects) assert.equal(metadata.labels, labels);
    assert.ok(objects.every(({ metadata }) => metadata.ownerReferences === undefined));
  },
);

spec('DB-012 DB-077 the Service of SQLite finds its one pod on port 4001', () => {
  const { service, deployment } = built();
  assert.is(deployment.replicas, 1);
  assert.equal(deployment.strategy, { type: 'Recreate' });
  assert.is(service.ports[0]?.port, 4001);
  assert.is(deployment.template.spec.containers[0].ports[0]?.containerPort, 4001);
  const labels = Object.entries(deployment.template.metadata.labels).map(([key, value]) => `${key}=${value}`);
  for (const [key, value] of Object.entries(service.selector)) assert.ok(labels.includes(`${key}=${value}`), key);
  assert.equal(deployment.template.spec.volumes[0]?.persistentVolumeClaim, { claimName: 'orders-sqlite' });
});

spec(
  'DB-050 DB-051 DB-053 DB-054 SQLite has the requested storage size, and default resources when none are set',
  () => {
    assert.is(built().claim.resources.requests.storage, '1Gi');
    assert.is(built({ storageSize: '5Gi' }).claim.resources.requests.storage, '5Gi');
    assert.equal(built().deployment.template.spec.containers[0].resources, {
      requests: { cpu: '100m', memory: '128Mi' },
    });
  },
);

spec('DB-067 DB-185 SQLite uses the fixed placement and storage class', () => {
  const { claim, deployment } = built(
    {},
    { ...anywhere, placement: { region: 'eu', tags: ['ssd'] }, storageClass: 'core-replicated-eu' },
  );
  assert.is(claim.storageClassName, 'core-replicated-eu');
  assert.equal(deployment.template.spec.nodeSelector, {
    'core.platform/region': 'eu',
    'core.platform/tag-ssd': 'true',
  });
  assert.is(deployment.template.spec.tolerations.length, 1);
  assert.not.ok('storageClassName' in built().claim);
});

spec('pod logs are not shipped when the project requires tags, whatever tags the database runs on', () => {
  const annotationsOf = (settled: Partial<Settled>) =>
    built({}, { ...anywhere, ...settled }).deployment.template.metadata.annotations;
  assert.is(annotationsOf({ placement: { region: 'eu', tags: ['ssd'] } }), undefined);
  assert.equal(annotationsOf({ requiredTags: ['certified'] }), { 'core.platform/log-shipping': 'off' });
});

spec('the node id and Raft address of SQLite are the same in every pod', () => {
  const { args } = built().deployment.template.spec.containers[0];
  assert.ok(args.includes('-node-id=1'));
  assert.ok(args.includes('-raft-adv-addr=localhost:4002'));
  assert.ok(args.includes('-http-adv-addr=orders.shop-production.svc:4001'));
});

spec.run();

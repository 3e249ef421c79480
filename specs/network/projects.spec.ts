import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { parseAllDocuments } from 'yaml';
import { coreProject, type ProjectSpec } from '../../crds/coreProject.ts';
import { typeMeta } from '../../crds/kind.ts';
import { projectController } from '../../runtime/controllers/project/controller.ts';
import { everyKind, projects } from '../../runtime/services/cluster/kinds.ts';
import { owned } from '../../runtime/owned/owned.ts';
import { namespaces } from '../../runtime/services/cluster/resources.ts';
import { inSystem, putCluster } from '../support/project.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { makeTestEnvironment } from '../support/environment.ts';
import { connects, type End, type Network, type Pod, type Policy } from './policy.ts';

const spec = suite('reachability between projects');

type Networking = NonNullable<ProjectSpec['network']>;
/** Every sort of project: isolated by default and by its word, open, and with others that are let in. */
const given: Readonly<Record<string, Networking | undefined>> = {
  plain: undefined,
  closed: { isolation: 'Project' },
  open: { isolation: 'None' },
  opened: { isolation: 'None', allowFromProjects: ['plain'] },
  host: { isolation: 'Project', allowFromProjects: ['plain', 'open'] },
  // Its namespaces begin like those of another project.
  'plain-production': { isolation: 'Project' },
};
const environments = ['production', 'staging'];
const platform = ['kube-system', 'core-system', 'monitoring', 'cnpg-system', 'core-serverless'];
const elsewhere = ['default'];

const installed = parseAllDocuments(
  readFileSync(new URL('../../crds/install/networkpolicies.yaml', import.meta.url), 'utf8'),
).map((document) => document.toJS() as Policy);

interface Somebody extends Pod {
  readonly called: string;
  /** Null for a pod of no project. */
  readonly project: string | null;
}

let network: Network;
const everybody: Somebody[] = [];

spec.before(async () => {
  const fakes = makeTestEnvironment({ controllers: [projectController()], alsoSeen: everyKind });
  putCluster(fakes);
  for (const [name, networking] of Object.entries(given))
    fakes.cluster.put(projects, {
      ...typeMeta(coreProject),
      metadata: { ...inSystem(name), generation: 1 },
      spec: { clusterRef: { name: 'local' }, environments, ...(networking && { network: networking }) },
    });
  const { operator, crash } = await fakes.start();
  await until(
    () => Object.keys(given).every((name) => operator.caches.get(projects, name)?.status?.phase === 'ProjectReady'),
    'the projects are ready',
  );
  const made = fakes.cluster.all(owned.networkPolicies) as unknown as readonly Policy[];
  const named = (name: string) => ({ 'kubernetes.io/metadata.name': name });
  const labels = fakes.cluster.all(namespaces).map(({ metadata }) => [metadata.name, metadata.labels ?? {}] as const);
  network = {
    policies: [...made, ...installed],
    namespaces: {
      ...Object.fromEntries([...platform, ...elsewhere].map((name) => [name, named(name)])),
      ...Object.fromEntries(labels),
    },
    blocksMatchPods: true,
  };
  await crash();
  let last = 0;
  const add = (namespace: string, project: string | null, role = 'app') =>
    void everybody.push({
      called: `${namespace}/${role}`,
      project,
      namespace,
      labels: { role },
      ip: `10.1.0.${++last}`,
    });
  for (const project of Object.keys(given))
    for (const environment of environments) {
      add(`${project}-${environment}`, project);
      add(`${project}-${environment}`, project, 'database');
    }
  for (const namespace of [...platform, ...elsewhere]) add(namespace, null);
});

const reaches = (from: End, to: End, over = network, port = 8080) => connects({ from, to, port }, over);
/** The same networks, by whether they match addresses of pods with blocks. */
const networks = () => [network, { ...network, blocksMatchPods: false }];

/** What the document promises of a pod of a project (001 CoreProject, network). */
function isLetIn(from: Somebody, to: Somebody): boolean {
  const { isolation = 'Project', allowFromProjects = [] } = given[to.project ?? ''] ?? {};
  if (isolation === 'None' || platform.includes(from.namespace)) return true;
  return from.project !== null && [to.project, ...allowFromProjects].includes(from.project);
}

spec(
  'NET-003 NET-004 NET-005 NET-010 NET-011 PRJ-088 pods reach each other exactly when isolation and allowed projects permit',
  () => {
    let [pairs, refused] = [0, 0];
    for (const over of networks())
      for (const from of everybody)
        for (const to of everybody.filter(({ project }) => project !== null)) {
          // What leaves core-system is a matter of the installation.
          if (from.namespace === 'core-system') continue;
          const expected = isLetIn(from, to);
          const told = `${from.called} to ${to.called}, blocks match pods: ${over.blocksMatchPods}`;
          assert.is(reaches({ pod: from }, { pod: to }, over), expected, told);
          pairs++;
          if (!expected) refused++;
        }
    assert.ok(pairs > 1000 && refused > 300 && refused < pairs, `${refused} of ${pairs}`);
  },
);

spec(
  'NET-006 NET-007 no pod of any project reaches a cloud metadata address, and all other addresses are reachable',
  () => {
    const metadata = ['169.254.169.254', '169.254.0.1', '169.254.255.255', '169.254.170.2'];
    const others = [
      '1.1.1.1',
      '169.253.255.255',
      '169.255.0.0',
      '10.96.0.10',
      '192.168.1.1',
      '2606:4700::1111',
      'fd00::1',
    ];
    for (const over of networks())
      for (const pod of everybody.filter(({ project }) => project !== null)) {
        for (const ip of metadata) assert.not.ok(reaches({ pod }, { ip }, over), `${pod.called} to ${ip}`);
        for (const ip of others) assert.ok(reaches({ pod }, { ip }, over), `${pod.called} to ${ip}`);
        for (const to of everybody.filter(({ namespace }) => elsewhere.includes(namespace)))
          assert.ok(reaches({ pod }, { pod: to }, over), `${pod.called} to ${to.called}`);
      }
  },
);

spec('NET-010 an isolated project accepts traffic from outside the cluster only through the platform', () => {
  for (const to of everybody.filter(({ project }) => project !== null)) {
    const isOpen = given[to.project ?? '']?.isolation === 'None';
    assert.is(reaches({ ip: '203.0.113.7' }, { pod: to }), isOpen, to.called);
    const ingress = everybody.find(({ namespace }) => namespace === 'kube-system');
    assert.ok(ingress && reaches({ pod: ingress }, { pod: to }), to.called);
  }
});

spec('NET-009 metrics and log stores accept only namespaces of the platform', () => {
  for (const name of ['core-metrics-store', 'core-log-store']) {
    const store = { namespace: 'core-system', labels: { 'app.kubernetes.io/name': name }, ip: '10.1.1.1' };
    const asking = ['kube-system', 'monitoring'];
    for (const pod of everybody.filter(({ namespace }) => namespace !== 'core-system'))
      assert.is(reaches({ pod }, { pod: store }), asking.includes(pod.namespace), `${pod.called} to ${name}`);
    assert.not.ok(reaches({ ip: '203.0.113.7' }, { pod: store }), name);
  }
});

spec.run();

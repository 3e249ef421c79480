import * as assert from 'uvu/assert';
import { type Json, at, jsonAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { readQuantity } from '../../../runtime/embedded/api/published/quantity.ts';
import { suite } from '../../support/suite.ts';
import { type Started, inSystem, started } from './started.ts';

/** As given, as a real API server writes it. */
type Pairs = Readonly<Record<string, string>>;

const any: Pairs = {
  '0.5': '500m',
  '1.08': '1080m',
  '5000m': '5',
  '1000u': '1m',
  '1080000000n': '1080m',
  '1000M': '1G',
  '0.001T': '1G',
  '1000': '1k',
  '1234567M': '1234567M',
  '12E': '12E',
  '1000E': '1e21',
  '1024Mi': '1Gi',
  '307200Ki': '300Mi',
  '1025024Mi': '1001Gi',
  '1.5Gi': '1536Mi',
  '0.5Mi': '512Ki',
  '8Ki': '8Ki',
  '100Ti': '100Ti',
  '1025': '1025',
  '0.05Gi': '53687091200m',
  '100.035Ki': '102435840m',
  '.001Ki': '1024m',
  '.000000001Ki': '1024n',
  '1e3': '1e3',
  '1E3': '1E3',
  '.001e12': '1e9',
  '0.001e0': '1e-3',
  '1000e-12': '1e-9',
  '1.2e3': '1200',
  '1.3E+6': '1300e3',
};

const zero: Pairs = { '0': '0', '00': '0', '0Gi': '0', '0e5': '0', '.': '0', '-': '0', '-0': '0', m: '0' };

const rounded: Pairs = {
  '3.001n': '4n',
  '0.9n': '1n',
  '0.0000000001': '1n',
  '.000000000001Ki': '2n',
  '1.1E-9': '2e-9',
  '9Ei': '9223372036854775807',
  '9223372036854775807Ki': '9223372036854775807',
};

const resources: Pairs = {
  '100u': '1m',
  '0.1m': '1m',
  '1.5m': '2m',
  '1.0001': '1001m',
  '0.0001Ki': '103m',
  '1e-6': '1e-3',
  '0.5': '500m',
};

/** What looks canonical is handed back as it came. */
const kept: Pairs = { '+1': '+1', '007': '007', '1.500': '1.500', '1.': '1.', '+5Ki': '+5Ki', '+100Ti': '100Ti' };

const pairs = suite('formatted quantities');

const holds = (table: Pairs, isResource = false) => {
  for (const [given, wanted] of Object.entries(table))
    assert.equal(readQuantity(given, isResource), { value: wanted }, given);
};
const negative = (table: Pairs): Pairs =>
  Object.fromEntries(Object.entries(table).map(([given, wanted]) => [`-${given}`, `-${wanted}`]));

pairs('a quantity has the shortest number with a suffix of its notation', () => holds(any));
pairs('zero has no suffix', () => holds(zero));
pairs('quantities below a billionth are rounded up, and those above the maximum become the maximum', () =>
  holds(rounded),
);
pairs('a negative quantity is formatted like a positive one', () => {
  holds(negative(any));
  holds(negative(rounded));
});
pairs('amounts of resources are rounded up to thousandths, away from zero', () => {
  holds(resources, true);
  holds(negative(resources), true);
});
pairs('a canonical quantity keeps its text', () => holds(kept));
pairs('a formatted quantity is formatted to the same text', () => {
  for (const table of [any, zero, rounded, kept])
    for (const wanted of Object.values(table)) assert.equal(readQuantity(wanted, false), { value: wanted });
});
pairs('blanks around a quantity are removed, and blanks within are refused', () => {
  assert.equal(readQuantity(' 1024Mi ', false), { value: '1Gi' });
  assert.ok('why' in readQuantity('1 Gi', false));
});
pairs('an invalid quantity is distinguished from one with an invalid suffix', () => {
  const why = (text: string) =>
    /suffix/.test(readQuantity(text, false).why ?? '') ? 'suffix' : readQuantity(text, false).why && 'form';
  for (const text of ['', '1.1.M', '1+1.0M', '0.1am', 'lots', '1Gi!']) assert.is(why(text), 'form', text);
  for (const text of ['0.1mi', '.5i', '1i', '-3.01e-', '1EE3', '--1', '1KiKi']) assert.is(why(text), 'suffix', text);
});
pairs.run();

const spec = suite<{ api: Started }>('quantities of built-in kinds');
spec.before(async (context) => {
  context.api = await started();
});
spec.after(({ api }) => api.end());

const given = { cpu: '0.5', memory: '1024Mi' };
const canonical = { cpu: '500m', memory: '1Gi' };
const named = (name: string) => ({ metadata: { name } });
const podSpec = { containers: [{ name: 'main', image: 'i', resources: { requests: given, limits: given } }] };
const labels = { run: 'it' };
const template = { metadata: { labels }, spec: podSpec };
const selected = { selector: { matchLabels: labels }, template };
const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2048Mi' } } };
const podPath = ['spec', 'template', 'spec', 'containers', 0, 'resources', 'requests'] as const;
const apps = '/apis/apps/v1/namespaces/core-system';

interface Case {
  readonly path: string;
  readonly body: Json;
  readonly found: readonly (readonly [path: readonly (string | number)[], value: unknown])[];
}

const cases: Readonly<Record<string, Case>> = {
  Pod: {
    path: `${inSystem}/pods`,
    body: {
      ...named('p'),
      spec: { ...podSpec, volumes: [{ name: 'v', emptyDir: { sizeLimit: '0.5Gi' } }] },
    },
    found: [
      [['spec', 'containers', 0, 'resources', 'limits'], canonical],
      [['spec', 'volumes', 0, 'emptyDir', 'sizeLimit'], '512Mi'],
    ],
  },
  PodTemplate: {
    path: `${inSystem}/podtemplates`,
    body: { ...named('t'), template },
    found: [[podPath.slice(1), canonical]],
  },
  ReplicationController: {
    path: `${inSystem}/replicationcontrollers`,
    body: { ...named('r'), spec: { selector: labels, template } },
    found: [[podPath, canonical]],
  },
  Deployment: { path: `${apps}/deployments`, body: { ...named('d'), spec: selected }, found: [[podPath, canonical]] },
  ReplicaSet: { path: `${apps}/replicasets`, body: { ...named('r'), spec: selected }, found: [[podPath, canonical]] },
  DaemonSet: { path: `${apps}/daemonsets`, body: { ...named('d'), spec: selected }, found: [[podPath, canonical]] },
  StatefulSet: {
    path: `${apps}/statefulsets`,
    body: {
      ...named('s'),
      spec: { ...selected, serviceName: 's', volumeClaimTemplates: [{ ...named('data'), spec: claimSpec }] },
    },
    found: [
      [podPath, canonical],
      [['spec', 'volumeClaimTemplates', 0, 'spec', 'resources', 'requests', 'storage'], '2Gi'],
    ],
  },
  Job: {
    path: '/apis/batch/v1/namespaces/core-system/jobs',
    body: { ...named('j'), spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } },
    found: [[podPath, canonical]],
  },
  CronJob: {
    path: '/apis/batch/v1/namespaces/core-system/cronjobs',
    body: {
      ...named('c'),
      spec: {
        schedule: '0 0 1 1 *',
        jobTemplate: { spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } },
      },
    },
    found: [[['spec', 'jobTemplate', ...podPath], canonical]],
  },
  PersistentVolumeClaim: {
    path: `${inSystem}/persistentvolumeclaims`,
    body: { ...named('c'), spec: claimSpec },
    found: [[['spec', 'resources', 'requests', 'storage'], '2Gi']],
  },
  PersistentVolume: {
    path: '/api/v1/persistentvolumes',
    body: {
      ...named('v'),
      spec: { capacity: { storage: '0.5Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/v' } },
    },
    found: [[['spec', 'capacity', 'storage'], '512Mi']],
  },
  ResourceQuota: {
    path: `${inSystem}/resourcequotas`,
    body: { ...named('q'), spec: { hard: { 'requests.cpu': '1.5', 'requests.memory': '2048Mi', pods: '1000' } } },
    found: [[['spec', 'hard'], { 'requests.cpu': '1500m', 'requests.memory': '2Gi', pods: '1k' }]],
  },
  LimitRange: {
    path: `${inSystem}/limitranges`,
    body: { ...named('l'), spec: { limits: [{ type: 'Container', max: { cpu: '2000m' }, default: given }] } },
    found: [
      [['spec', 'limits', 0, 'max', 'cpu'], '2'],
      [['spec', 'limits', 0, 'default'], canonical],
      [['spec', 'limits', 0, 'defaultRequest'], canonical],
    ],
  },
  Node: {
    path: '/api/v1/nodes',
    body: { ...named('n'), status: { capacity: given, allocatable: { cpu: '100u', memory: '4096Ki' } } },
    found: [
      [['status', 'capacity'], canonical],
      [['status', 'allocatable'], { cpu: '1m', memory: '4Mi' }],
    ],
  },
  HorizontalPodAutoscaler: {
    path: '/apis/autoscaling/v2/namespaces/core-system/horizontalpodautoscalers',
    body: {
      ...named('h'),
      spec: {
        maxReplicas: 2,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '0.25' } } },
        ],
      },
    },
    found: [[['spec', 'metrics', 0, 'resource', 'target', 'averageValue'], '250m']],
  },
};

for (const [kind, { path, body, found }] of Object.entries(cases))
  spec(`${kind}: quantities are stored in the shortest form`, async ({ api }) => {
    const { body: made, code } = await api.send('POST', path, { body });
    assert.is(code, 201, textAt(made, 'message'));
    for (const [where, wanted] of found) assert.equal(at(made, ...where), wanted, where.join('.'));
  });

const apply = 'application/apply-patch+yaml';

spec('an apply of equal quantities in other notations changes nothing', async ({ api }) => {
  const path = `${apps}/deployments/applied?fieldManager=core&force=true`;
  const body = { apiVersion: 'apps/v1', kind: 'Deployment', ...named('applied'), spec: selected };
  const first = await api.send('PATCH', path, { type: apply, body });
  assert.is(first.code, 201, textAt(first.body, 'message'));
  const again = await api.send('PATCH', path, { type: apply, body });
  assert.is(again.code, 200, textAt(again.body, 'message'));
  assert.equal(jsonAt(again.body, 'metadata'), jsonAt(first.body, 'metadata'));
  assert.equal(at(again.body, ...podPath), canonical);
});

spec('a patched quantity is normalised, and an empty quantity is refused', async ({ api }) => {
  await api.send('POST', `${inSystem}/persistentvolumeclaims`, { body: { ...named('patched'), spec: claimSpec } });
  const path = `${inSystem}/persistentvolumeclaims/patched`;
  const merge = { type: 'application/merge-patch+json' };
  const patch = (storage: unknown) => ({ spec: { resources: { requests: { storage } } } });
  const { body, code } = await api.send('PATCH', path, { ...merge, body: patch('2097152Ki') });
  assert.is(code, 200, textAt(body, 'message'));
  assert.equal(at(body, 'spec', 'resources', 'requests', 'storage'), '2Gi');
  const refused = await api.send('PATCH', path, { ...merge, body: patch('') });
  assert.match(textAt(refused.body, 'message'), /quantities must match the regular expression/);
});

spec.run();

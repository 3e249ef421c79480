import { Effect } from 'effect';
import { coreNode, type CoreNode, type NodeSpec } from '../../../crds/coreNode.ts';
import { typeMeta } from '../../../crds/kind.ts';
import type { ClusterNode } from '../../../rules/capacity.ts';
import { nodeController } from '../../../runtime/controllers/node/controller.ts';
import { clusterNodes } from '../../../runtime/controllers/capacity.ts';
import { nodes } from '../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import { inSystem } from '../../support/project.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import type { Act, FaultSubject, Oracle, Path } from './subject.ts';

const name = 'rack-1';
const serverIn = ({ cluster }: TestEnvironment): CoreNode | undefined =>
  cluster.all(nodes).find(({ metadata }) => metadata.name === name);
const nodeIn = ({ cluster }: TestEnvironment): ClusterNode | undefined =>
  cluster.all(clusterNodes).find(({ metadata }) => metadata.name === name);

function putServer(environment: TestEnvironment, spec: Partial<NodeSpec> = {}): void {
  const before = serverIn(environment);
  environment.cluster.put(nodes, {
    ...typeMeta(coreNode),
    metadata: before?.metadata ?? inSystem(name),
    spec: { address: '192.0.2.7', ...before?.spec, ...spec },
    ...(before?.status === undefined ? {} : { status: before.status }),
  });
}
function putNode(environment: TestEnvironment, over: Partial<ClusterNode> = {}): void {
  environment.cluster.put(clusterNodes, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { zone: 'z' } },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
    ...nodeIn(environment),
    ...over,
  });
}
const secret = (environment: TestEnvironment, ofName: string, data: Readonly<Record<string, string>>) =>
  void environment.cluster.put(secrets, {
    metadata: inSystem(ofName),
    data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
  });
const token = 'token-of-the-cluster';
const withKey = { sshKeySecretRef: { name: 'rack-key' }, region: 'north', tags: ['fast'], reserved: 'fast' } as const;

const baseline =
  (spec: Partial<NodeSpec>, prepare: (environment: TestEnvironment) => void = () => {}): Path['given'] =>
  (environment) => {
    secret(environment, 'rack-key', { 'ssh-privatekey': 'key-of-the-server' });
    secret(environment, 'core-token', { token, server: 'https://192.0.2.1:6443' });
    prepare(environment);
    putServer(environment, spec);
  };
const phase = (environment: TestEnvironment): string => serverIn(environment)?.status?.phase ?? '';
const once = (of: string, text: string, edit: (environment: TestEnvironment) => void): Act => ({
  text,
  when: (environment) => phase(environment) === of,
  edit,
});
/** The agent that was installed brings its node. */
const appears: Act = {
  text: 'its node appears',
  when: ({ reach }) => reach.commands.length > 0,
  edit: (environment) => putNode(environment),
};

type Told = readonly [name: string, end: string, given: Path['given'], ...script: readonly Act[]];
const told: readonly Told[] = [
  ['a server joins over SSH', 'Joined', baseline(withKey), appears],
  [
    'its node stands already',
    'Joined',
    baseline({ region: 'north', tags: ['fast'] }, (environment) => putNode(environment)),
  ],
  [
    'it has no key and joins by itself',
    'Joined',
    baseline({}),
    once('Waiting', 'its node appears', (environment) => putNode(environment)),
  ],
  [
    'a reservation is given and taken away',
    'Joined',
    baseline({ tags: ['fast'], reserved: 'fast' }, (environment) => putNode(environment)),
    once('Joined', 'the reservation is taken away', (environment) => putServer(environment, { reserved: '' })),
  ],
  [
    'it is removed from the cluster',
    '',
    baseline({ region: 'north', tags: ['fast'] }, (environment) => putNode(environment)),
    once('Joined', 'it is deleted', ({ cluster }) => Effect.runSync(cluster.remove(nodes, { name }))),
  ],
];

/** What must hold of a server: no secret is an argument or shown, and its node has what it was given, and no more. */
function oracle(environment: TestEnvironment): Oracle {
  const shows = (text: string) => text.includes(token) || text.includes('key-of-the-server');
  const outside = (): readonly string[] =>
    environment.reach.commands.some(({ command }) => shows(command)) ? ['a secret is an argument of a command'] : [];
  const given = (): Readonly<Record<string, string>> => {
    const { region = '', tags = [] } = serverIn(environment)?.spec ?? {};
    return {
      zone: 'z',
      ...(region === '' ? {} : { 'core.platform/region': region }),
      ...Object.fromEntries(tags.map((tag) => [`core.platform/tag-${tag}`, 'true'])),
    };
  };
  const sorted = (labels: Readonly<Record<string, string>> = {}) =>
    Object.entries(labels)
      .map((pair) => pair.join('='))
      .toSorted()
      .join();
  return {
    look: (changed) => [
      ...outside(),
      ...(changed.kind !== 'Secret' && shows(JSON.stringify(changed)) ? ['a secret is shown'] : []),
    ],
    atRest: () => {
      const node = nodeIn(environment);
      if (node === undefined) return [];
      const taints = (node.spec?.taints ?? []).map(({ key, value = '' }) => `${key}=${value}`);
      const reserved = serverIn(environment)?.spec.reserved ?? '';
      return [
        ...(sorted(node.metadata.labels) === sorted(given())
          ? []
          : ['the labels of the node are not as they are to be']),
        ...(taints.join() === (reserved === '' ? '' : `core.platform/reserved=${reserved}`)
          ? []
          : ['the reservation of the node is not as it is to be']),
      ];
    },
  };
}

/** A server of the cluster: it joins over SSH, and its node carries what it is to carry. */
export const nodeSubject: FaultSubject = {
  name: 'node',
  tables: [],
  controllers: () => [nodeController('install-the-agent')],
  alsoSeen: [],
  removes: true,
  paths: told.map(([text, end, given, ...script]) => ({
    name: text,
    given,
    script,
    actors: () => [],
    ends: [end],
    // A list of taints that was taken away again is empty, one that never was is not there.
    mayDiffer: (difference) => difference.includes('.spec.taints: '),
  })),
  state: phase,
  userEdits: {
    'a label is taken away': (environment) => {
      const node = nodeIn(environment);
      if (node) putNode(environment, { metadata: { ...node.metadata, labels: { zone: 'z' } } });
    },
    'the key is deleted': ({ cluster }) => cluster.drop(secrets, 'rack-key'),
  },
  oracle,
};

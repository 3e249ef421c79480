import * as assert from 'uvu/assert';
import { coreNode, type CoreNode, type NodeSpec } from '../../../../crds/coreNode.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import type { ClusterNode } from '../../../../rules/capacity.ts';
import { nodeController } from '../../../../runtime/controllers/node/controller.ts';
import { clusterNodes } from '../../../../runtime/controllers/capacity.ts';
import { nodes } from '../../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../../runtime/services/cluster/resources.ts';
import { startSession } from '../../../support/session.ts';
import { inSystem } from '../../../support/project.ts';
import { suite } from '../../../support/suite.ts';
import type { TestEnvironment } from '../../../support/environment.ts';

const spec = suite('the controller of nodes');

const encoded = (text: string) => Buffer.from(text).toString('base64');
const putServer = ({ cluster }: TestEnvironment, given: Partial<NodeSpec> = {}) => {
  const before = cluster.all(nodes).find(({ metadata }) => metadata.name === 'rack-1');
  cluster.put(nodes, {
    ...typeMeta(coreNode),
    metadata: before?.metadata ?? inSystem('rack-1'),
    spec: { address: '192.0.2.7', ...given },
    ...(before?.status === undefined ? {} : { status: before.status }),
  });
};
const nodeIn = ({ cluster }: TestEnvironment, name: string): ClusterNode | undefined =>
  cluster.all(clusterNodes).find(({ metadata }) => metadata.name === name);
const putNode = (environment: TestEnvironment, name: string, over: Partial<ClusterNode> = {}) => {
  const before = nodeIn(environment, name);
  environment.cluster.put(clusterNodes, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
    ...before,
    ...over,
  });
};
const putSecret = ({ cluster }: TestEnvironment, name: string, data: Readonly<Record<string, string>>) =>
  void cluster.put(secrets, {
    metadata: inSystem(name),
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, encoded(value)])),
  });
const startNodeSession = (prepare: (environment: TestEnvironment) => void) =>
  startSession<CoreNode>({
    resource: nodes,
    name: 'rack-1',
    controllers: [nodeController('install-the-agent')],
    prepare,
  });
type Session = Awaited<ReturnType<typeof startNodeSession>>;
const told = ({ object, ready }: Session) => [object().status?.phase, ready()];

spec('KND-013 the node of a server gets its region, tags and reservation, and they are restored', async () => {
  const server = await startNodeSession((environment) => {
    putNode(environment, 'rack-1', { metadata: { name: 'rack-1', labels: { zone: 'z' } } });
    putServer(environment, { region: 'north', tags: ['certified', 'fast'], reserved: 'certified' });
  });
  await server.pass(5);
  assert.equal(told(server), ['Joined', 'True NodeReady']);
  const node = () => nodeIn(server.environment, 'rack-1');
  assert.equal(node()?.metadata.labels, {
    zone: 'z',
    'core.platform/region': 'north',
    'core.platform/tag-certified': 'true',
    'core.platform/tag-fast': 'true',
  });
  const taint = { key: 'core.platform/reserved', value: 'certified', effect: 'NoSchedule' };
  assert.equal(node()?.spec?.taints, [taint]);

  const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  await server.edit((environment) =>
    putNode(environment, 'rack-1', { metadata: { name: 'rack-1', labels: { zone: 'z' } }, spec: { taints: [cordon] } }),
  );
  assert.is(node()?.metadata.labels?.['core.platform/tag-fast'], 'true', 'put back');
  assert.equal(node()?.spec?.taints, [cordon, taint]);

  await server.edit((environment) => putServer(environment, { region: 'south', tags: ['fast'] }));
  assert.equal(node()?.metadata.labels, {
    zone: 'z',
    'core.platform/region': 'south',
    'core.platform/tag-fast': 'true',
  });
  assert.equal(node()?.spec?.taints, [cordon], 'the reservation is taken away, and nobody else is touched');
  const before = server.environment.cluster.changesOf('nodes');
  await server.pass(600);
  assert.is(server.environment.cluster.changesOf('nodes'), before);

  await server.remove();
  assert.equal(node()?.metadata.labels, { zone: 'z' }, 'with the server goes what it gave');
  assert.is(server.found(), undefined);
  await server.end();
});

spec('a server is also found by its address, and labels of others stay', async () => {
  const server = await startNodeSession((environment) => {
    putNode(environment, 'ip-7', {
      metadata: { name: 'ip-7', labels: { 'core.platform/region': 'east' } },
      status: {
        conditions: [{ type: 'Ready', status: 'False' }],
        addresses: [{ type: 'InternalIP', address: '192.0.2.7' }],
      },
    });
    putServer(environment, { tags: ['fast'] });
  });
  assert.equal(told(server), ['Joined', 'False NodeNotReady']);
  assert.equal(nodeIn(server.environment, 'ip-7')?.metadata.labels, {
    'core.platform/region': 'east',
    'core.platform/tag-fast': 'true',
  });
  await server.end();
});

spec('SEC-028 SEC-030 a server joins over SSH, and its token is never an argument', async () => {
  const server = await startNodeSession((environment) => putServer(environment));
  assert.equal(told(server), ['Waiting', 'False KeyUnset']);
  await server.edit((environment) =>
    putServer(environment, { user: 'admin', sshKeySecretRef: { name: 'rack-1-ssh' } }),
  );
  assert.equal(told(server), ['Waiting', 'False KeyMissing']);
  await server.edit((environment) =>
    putSecret(environment, 'rack-1-ssh', { 'ssh-privatekey': 'KEY', known_hosts: 'h t k' }),
  );
  assert.equal(told(server), ['Waiting', 'False TokenMissing']);

  server.environment.reach.sshFails = 'ECONNREFUSED';
  await server.edit((environment) =>
    putSecret(environment, 'core-token', { token: "it's", server: 'https://10.0.0.1:6443' }),
  );
  await server.pass(1);
  assert.is(server.environment.reach.commands.length, 1);
  const [command] = server.environment.reach.commands;
  assert.is(command?.command, 'sudo -n sh -s');
  assert.equal([command?.host, command?.user, command?.knownHosts], ['192.0.2.7', 'admin', 'h t k']);
  assert.ok(command?.input.includes(String.raw`export K3S_TOKEN='it'\''s'`));
  assert.ok(command?.input.includes('export K3S_NODE_NAME='));
  assert.ok(command?.input.includes('{ install-the-agent'));
  await server.pass(45);
  assert.equal(told(server), ['Failed', 'False JoinFailed']);
  assert.is(server.message(), 'ECONNREFUSED');

  server.environment.reach.sshFails = '';
  await server.pass(120);
  const { length } = server.environment.reach.commands;
  assert.equal(told(server), ['Joining', 'False Joining']);
  await server.pass(300);
  assert.is(server.environment.reach.commands.length, length, 'the installer is given time');
  await server.edit((environment) => putNode(environment, 'rack-1'));
  assert.equal(told(server), ['Joined', 'True NodeReady']);
  await server.pass(1_200);
  assert.is(server.environment.reach.commands.length, length, 'a server with a node is left alone');
  assert.not.match(JSON.stringify(server.object()), /KEY|it's/);
  await server.end();
});

spec('a server whose user is root needs no sudo', async () => {
  const server = await startNodeSession((environment) => {
    putSecret(environment, 'k', { 'ssh-privatekey': 'KEY' });
    putSecret(environment, 'core-token', { token: 't', server: 's' });
    putServer(environment, { sshKeySecretRef: { name: 'k' } });
  });
  assert.is(server.environment.reach.commands[0]?.command, 'sh -s');
  await server.end();
});

spec.run();

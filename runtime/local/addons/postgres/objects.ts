import type { KubeObject } from '../../../../crds/kind.ts';
import { systemNamespace } from '../../../../crds/names.ts';
import { notProvidedMark } from '../../../../rules/database/notProvided.ts';
import { serverLabel } from '../../../controllers/database/kinds.ts';
import { claim, podOf, service, simulatedLabel } from '../objects.ts';
import { postgresPod, type ServerImages, serverPorts } from '../realServers.ts';
import type { Server } from './server.ts';
import { recorded, recordedSpec, type Template } from './template.ts';

/** On a pod: the role of its instance. */
export const roleLabel = 'cnpg.io/instanceRole';
const podRole = { 'cnpg.io/podRole': 'instance' };

const homeOf = ({ metadata }: Server): string => metadata.namespace ?? systemNamespace;
const labelsOf = ({ metadata, spec }: Server) => ({
  ...spec?.inheritedMetadata?.labels,
  [serverLabel]: metadata.name,
  [simulatedLabel]: metadata.name,
});

const ownedBy = (server: Server, object: KubeObject): KubeObject => ({
  ...object,
  metadata: {
    ...object.metadata,
    ownerReferences: [
      {
        apiVersion: 'postgresql.cnpg.io/v1',
        kind: 'Cluster',
        name: server.metadata.name,
        uid: server.metadata.uid ?? '',
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  },
});

/** The Services of a server: for the primary, for the replicas, and for all. */
export function serverServices(server: Server): readonly KubeObject[] {
  const { name } = server.metadata;
  const selectors = { rw: { [roleLabel]: 'primary' }, ro: { [roleLabel]: 'replica' }, r: podRole };
  return Object.entries(selectors).map(([kind, selector]) => {
    const made = service(`${name}-${kind}`, homeOf(server), { labels: labelsOf(server), port: serverPorts.postgres });
    const spec = { ports: [{ port: serverPorts.postgres }], selector: { [serverLabel]: name, ...selector } };
    return ownedBy(server, { ...made, spec } as KubeObject);
  });
}

/** The claim of an instance. */
export const instanceClaim = (server: Server, instance: string): KubeObject =>
  ownedBy(server, claim(instance, homeOf(server), { ...server.spec?.storage, labels: labelsOf(server) }));

/** The pod of an instance, annotated with its template. */
export function instancePod(
  server: Server,
  instance: string,
  { template, images }: { readonly template: Template; readonly images: ServerImages | null },
): KubeObject {
  const { spec = {} } = server;
  const [{ image }] = template.containers;
  const running = images && postgresPod(image, superuserName(server), spec.bootstrap?.initdb ?? {});
  return ownedBy(
    server,
    podOf(instance, homeOf(server), {
      ...spec.affinity,
      ...(spec.resources && { resources: spec.resources }),
      labels: { ...labelsOf(server), 'cnpg.io/instanceName': instance, ...podRole },
      annotations: {
        [recordedSpec]: recorded(template),
        ...(running && { [notProvidedMark]: notProvided(spec.instances ?? 1) }),
      },
      claim: instance,
      container: 'postgres',
      server: running,
    }),
  );
}

/** What the operator would do besides running one server, as text. */
const notProvided = (instances: number): string => {
  const always = 'failover, continuous archiving and base backups';
  return instances > 1 ? `${always}, and runs 1 instance of ${instances}` : always;
};

export const superuserName = ({ metadata }: Server): string => `${metadata.name}-superuser`;

/** The login of the administrator of a server. */
export const superuserSecret = (server: Server, password: string): KubeObject =>
  ownedBy(server, {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/basic-auth',
    metadata: { name: superuserName(server), namespace: homeOf(server), labels: labelsOf(server) },
    stringData: { username: 'postgres', password },
  } as KubeObject);

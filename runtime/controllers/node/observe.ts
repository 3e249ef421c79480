import type { CoreNode } from '../../../crds/coreNode.ts';
import { joinTokenSecret, type NodeSeen } from '../../../rules/node/ready.ts';
import { nodeFor } from '../../../rules/node/place.ts';
import { type ClusterNode, isUp } from '../../../rules/capacity.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { secrets } from '../../services/cluster/resources.ts';
import { secretText } from '../../services/secretText.ts';
import { clusterNodes } from '../capacity.ts';

/** The node of a server. */
export const nodeOf = (server: CoreNode, reader: CacheReader): ClusterNode | undefined =>
  nodeFor(server, reader.list(clusterNodes));

/** The Secret with the key of a server; empty when none is named. */
export const keySecretOf = ({ spec }: CoreNode): string => spec.sshKeySecretRef?.name ?? '';

const upOrDown = (node: ClusterNode | undefined): NodeSeen['node'] => {
  if (node === undefined) return 'none';
  return isUp(node) ? 'up' : 'down';
};

export function nodeSeen(server: CoreNode, reader: CacheReader, failure: string): NodeSeen {
  const secret = keySecretOf(server);
  const token = reader.get(secrets, joinTokenSecret);
  return {
    node: upOrDown(nodeOf(server, reader)),
    secret,
    hasKey: secret !== '' && secretText(reader.get(secrets, secret), 'ssh-privatekey') !== '',
    hasToken: secretText(token, 'token') !== '' && secretText(token, 'server') !== '',
    failure,
  };
}

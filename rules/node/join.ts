import type { NodeSpec } from '../../crds/coreNode.ts';

/** What a server needs to know of the cluster that it joins. */
export interface JoinGiven {
  readonly name: string;
  readonly token: string;
  readonly server: string;
  /** The command that installs the agent. */
  readonly installer: string;
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Reads a script from its input, so that no secret is an argument, which everybody on the server could see. */
export const joinCommand = ({ user = 'root' }: Pick<NodeSpec, 'user'>): string =>
  user === 'root' ? 'sh -s' : 'sudo -n sh -s';

/** Lets the agent join under the name of its object. */
export const joinScript = ({ name, token, server, installer }: JoinGiven): string =>
  [
    'set -e',
    `export K3S_TOKEN=${quoted(token)}`,
    `export K3S_URL=${quoted(server)}`,
    `export K3S_NODE_NAME=${quoted(name)}`,
    // What follows in the script is not the input of the installer.
    `{ ${installer}\n} </dev/null`,
    '',
  ].join('\n');

export const usualInstaller = 'curl -sfL https://get.k3s.io | sh -s - agent';

import type { NodeSpec } from '../../crds/coreNode.ts';

/** What a server needs to join the cluster. */
export interface JoinGiven {
  readonly name: string;
  readonly token: string;
  readonly server: string;
  /** The command that installs the agent. */
  readonly installer: string;
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Reads a script from its input, so that no secret is in an argument, which every user of the server could see. */
export const joinCommand = ({ user = 'root' }: Pick<NodeSpec, 'user'>): string =>
  user === 'root' ? 'sh -s' : 'sudo -n sh -s';

/** The script that joins the agent under the name of its object. */
export const joinScript = ({ name, token, server, installer }: JoinGiven): string =>
  [
    'set -e',
    `export K3S_TOKEN=${quoted(token)}`,
    `export K3S_URL=${quoted(server)}`,
    `export K3S_NODE_NAME=${quoted(name)}`,
    // Keeps the installer from reading the rest of the script as its input.
    `{ ${installer}\n} </dev/null`,
    '',
  ].join('\n');

export const usualInstaller = 'curl -sfL https://get.k3s.io | sh -s - agent';

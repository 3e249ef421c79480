import type { VerdictRule } from '../verdict.ts';
import { external, open, type Message, sentence, hidden } from '../words.ts';

/** A joining server: its node, and its prerequisites. */
export interface NodeSeen {
  readonly node: 'none' | 'up' | 'down';
  /** The Secret of `spec.sshKeySecretRef`; empty when none is named. */
  readonly secret: string;
  readonly hasKey: boolean;
  readonly hasToken: boolean;
  /** Why the last attempt to join failed; empty when none did. */
  readonly failure: string;
}

export const joinTokenSecret = 'core-token';

interface NodeRow extends VerdictRule<NodeSeen> {
  readonly phase: 'Waiting' | 'Joining' | 'Joined' | 'Failed';
}

const row = (
  phase: NodeRow['phase'],
  reason: string,
  when: (seen: NodeSeen) => boolean,
  message: (seen: NodeSeen) => Message,
): NodeRow => ({ phase, reason, status: reason === 'NodeReady' ? 'True' : 'False', when, message });

/** The Ready condition of a server, with its progress, in the order checked. */
export const nodeVerdicts: readonly NodeRow[] = [
  row(
    'Joined',
    'NodeReady',
    ({ node }) => node === 'up',
    () => open('The node is ready'),
  ),
  row(
    'Joined',
    'NodeNotReady',
    ({ node }) => node === 'down',
    () => open('The node is not ready'),
  ),
  row(
    'Waiting',
    'KeyUnset',
    ({ secret }) => secret === '',
    () => open('Without spec.sshKeySecretRef the server has to join by itself'),
  ),
  row(
    'Waiting',
    'KeyMissing',
    ({ hasKey }) => !hasKey,
    ({ secret }) => sentence('Secret "{secret}" with the key ssh-privatekey was not found', { secret: hidden(secret) }),
  ),
  row(
    'Waiting',
    'TokenMissing',
    ({ hasToken }) => !hasToken,
    () => open('Secret "core-token" with the keys token and server was not found'),
  ),
  row(
    'Failed',
    'JoinFailed',
    ({ failure }) => failure !== '',
    ({ failure }) => external(failure),
  ),
  row(
    'Joining',
    'Joining',
    () => true,
    () => open('The server is joining the cluster'),
  ),
];

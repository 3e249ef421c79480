import type { KubeObject } from '../../crds/kind.ts';
import { key, systemNamespace } from '../../crds/names.ts';

/** The image of the tunnel's agent. */
export const usualTunnelImage = 'docker.io/cloudflare/cloudflared:2025.9.1';

export const tunnelName = 'core';
const agentName = 'core-tunnel-agent';
export const tokenSecretName = 'core-tunnel-token';

/** On the token's Secret: its tunnel. */
export const ofTunnel = key('tunnel');

interface AgentObject extends KubeObject {
  readonly spec?: object;
  readonly data?: Readonly<Record<string, string>>;
}

const labels = { 'app.kubernetes.io/name': agentName };

export const tokenSecret = (tunnelID: string, token: string): AgentObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: tokenSecretName, namespace: systemNamespace, annotations: { [ofTunnel]: tunnelID } },
  data: { token },
});

/** The agent of a tunnel; another tunnel restarts it. */
export const agentDeployment = (tunnelID: string, image: string): AgentObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: agentName, namespace: systemNamespace },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels, annotations: { [ofTunnel]: tunnelID } },
      spec: {
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            name: 'agent',
            image,
            args: ['tunnel', '--no-autoupdate', 'run'],
            env: [{ name: 'TUNNEL_TOKEN', valueFrom: { secretKeyRef: { name: tokenSecretName, key: 'token' } } }],
            resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '256Mi' } },
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
          },
        ],
      },
    },
  },
});

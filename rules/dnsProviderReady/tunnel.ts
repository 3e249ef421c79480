/** The agent that holds the tunnel open. */
export const usualTunnelImage = 'docker.io/cloudflare/cloudflared:2025.9.1';

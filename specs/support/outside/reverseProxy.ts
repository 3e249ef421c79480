import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../until.ts';
import { runProgram } from './programs.ts';

const admin = '127.0.0.1:2019';

interface Options {
  readonly folder: string;
  /** Where certificates are asked for, and what that is trusted by. */
  readonly directory: string;
  readonly caFile: string;
}

/** Caddy before the dashboard: as an Ingress controller and a certificate manager would be. */
export async function startReverseProxy({ folder, directory, caFile }: Options) {
  const issuers = {
    acme: {
      module: 'acme',
      ca: directory,
      email: 'ops@example.org',
      trusted_roots_pem_files: [caFile],
      challenges: { 'tls-alpn': { disabled: true } },
    },
    /** An authority that nobody trusts. */
    internal: { module: 'internal' },
  };
  const configOf = (host: string, port: string, by: keyof typeof issuers) => ({
    admin: { listen: admin },
    storage: { module: 'file_system', root: join(folder, 'caddy') },
    logging: { logs: { default: { level: 'ERROR' } } },
    apps: {
      http: {
        servers: {
          secure: {
            listen: [':443'],
            routes: [
              {
                match: [{ host: [host] }],
                handle: [{ handler: 'reverse_proxy', upstreams: [{ dial: `127.0.0.1:${port}` }] }],
              },
            ],
          },
        },
      },
      pki: { certificate_authorities: { local: { install_trust: false } } },
      tls: { automation: { policies: [{ issuers: [issuers[by]] }] } },
    },
  });
  const path = join(folder, 'caddy.json');
  writeFileSync(path, JSON.stringify({ admin: { listen: admin } }));
  const caddy = runProgram('caddy', ['run', '--config', path], { HOME: folder, XDG_DATA_HOME: folder });
  await until(
    () =>
      fetch(`http://${admin}/config/`).then(
        ({ ok }) => ok,
        () => false,
      ),
    'caddy listens',
  );
  return {
    publish: async (host: string, url: string, by: keyof typeof issuers = 'acme') => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(configOf(host, new URL(url).port, by));
      const answer = await fetch(`http://${admin}/load`, { method: 'POST', headers, body });
      if (!answer.ok) throw new Error(`caddy answered ${answer.status}: ${await answer.text()}`);
    },
    stop: caddy.stop,
  };
}

import { writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { issueCertificates } from '../../../runtime/embedded/certificates.ts';
import { until } from '../until.ts';
import { runProgram } from './programs.ts';

const management = 'http://127.0.0.1:8055';

const tell = async (path: string, body: object) => {
  const { ok, status } = await fetch(`${management}/${path}`, { method: 'POST', body: JSON.stringify(body) });
  if (!ok) throw new Error(`the DNS server answered ${status} to ${path}`);
};

/** The names of the world outside, as its DNS tells them. */
export const names = {
  set: async (host: string, ...addresses: readonly string[]) => {
    await tell('clear-a', { host });
    if (addresses.length > 0) await tell('add-a', { host, addresses });
  },
  fail: (host: string) => tell('set-servfail', { host: `${host}.` }),
  heal: (host: string) => tell('clear-servfail', { host: `${host}.` }),
};

const textOf = (url: string, ca: string) =>
  new Promise<string>((resolve, reject) => {
    const asking = get(url, { ca }, (answer) => {
      let text = '';
      answer.on('data', (piece: Buffer) => {
        text += piece.toString();
      });
      answer.on('end', () => resolve(text));
    });
    asking.on('error', reject);
  });

/** A DNS server at port 53 of an address, and beside it a certificate authority that asks it where hosts are. */
export async function startAuthority(folder: string, address: string) {
  const { ca, certificate, key } = await issueCertificates([]);
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const config = {
    pebble: {
      listenAddress: '127.0.0.1:14000',
      managementListenAddress: '127.0.0.1:15000',
      certificate: file('authority.crt', certificate),
      privateKey: file('authority.key', key),
      httpPort: 80,
      tlsPort: 443,
    },
  };
  const none = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv4', '', '-defaultIPv6', ''];
  const dns = runProgram('pebble-challtestsrv', [
    ...none,
    '-dns01',
    `${address}:53`,
    '-management',
    management.slice('http://'.length),
  ]);
  const pebble = runProgram(
    'pebble',
    ['-config', file('pebble.json', JSON.stringify(config)), '-dnsserver', `${address}:53`],
    { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' },
  );
  const root = await until(
    () => textOf('https://127.0.0.1:15000/roots/0', ca).catch(() => ''),
    'the authority tells its root',
  );
  await until(() => fetch(management).then(Boolean, () => false), 'the DNS server listens');
  return {
    directory: 'https://127.0.0.1:14000/dir',
    /** What the authority itself is trusted by, and what its certificates are. */
    caFile: file('authority-ca.pem', ca),
    rootFile: file('root.pem', root),
    stop: () => Promise.all([dns.stop(), pebble.stop()]),
  };
}

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CloudAccount } from '../../rules/cloud/account.ts';
import { freePort } from './freePort.ts';
import { issuingProxy } from './issuingProxy.ts';

/** A real S3 server: radosgw over one monitor and one store in memory. */
export interface RealStore {
  /** An account of it, with an address for users. */
  readonly account: (key: StoreKey) => CloudAccount;
  /** Makes a user with this key, who may be asked to keep the policies of others. */
  readonly user: (name: string, key: StoreKey) => void;
  /** Removes every bucket, and every user but those named. */
  readonly empty: (kept: readonly string[]) => void;
  readonly stop: () => Promise<void>;
}

interface StoreKey {
  readonly accessKeyId: string;
  readonly secret: string;
}

const programs = ['ceph-mon', 'ceph-osd', 'radosgw'];

/** Why specs with a real store are skipped; null where it is installed. */
export const noRadosgw = (): string | null =>
  programs.every((program) => spawnSync('which', [program]).status === 0)
    ? null
    : `${programs.join(', ')} are not installed`;

interface Settings {
  readonly folder: string;
  readonly cluster: string;
  readonly monitor: number;
  readonly port: number;
}

const configOf = ({ folder, cluster, monitor, port }: Settings): string => `[global]
fsid = ${cluster}
mon host = [v2:127.0.0.1:${monitor}/0]
public addr = 127.0.0.1
ms bind ipv6 = false
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon data avail crit = 1
run dir = ${folder}/run
admin socket = ${folder}/run/$cluster-$name-$pid.asok
log file = ${folder}/log/$name.log
pid file = ${folder}/run/$name.pid
crash dir = ${folder}/crash
mon data = ${folder}/mon.$id
osd data = ${folder}/osd.$id
keyring = ${folder}/keyring
osd objectstore = memstore
memstore device bytes = 4G
rgw frontends = beast endpoint=127.0.0.1:${port}
rgw relaxed region enforcement = true
`;

const keyring = ['keyring', '--gen-key', '-n'];
const everything = ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *', '--cap', 'mgr', 'allow *'];

/** Starts one; it takes about ten seconds. */
export async function startRadosgw(): Promise<RealStore> {
  const folder = mkdtempSync(join(tmpdir(), 'core-store-'));
  const settings = { folder, cluster: randomUUID(), monitor: await freePort(), port: await freePort() };
  for (const name of ['run', 'log', 'crash', 'mon.a', 'osd.0']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'ceph.conf'), configOf(settings));
  const env = { ...process.env, CEPH_CONF: join(folder, 'ceph.conf') };
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(program, args, { cwd: folder, env, timeout: 60_000, stdio: ['ignore', 'pipe', 'pipe'] }).toString();
  const children: ChildProcess[] = [];
  const start = (program: string, ...args: readonly string[]) =>
    void children.push(spawn(program, ['-f', ...args], { cwd: folder, env, stdio: 'ignore' }));

  run('ceph-authtool', '--create-keyring', ...keyring, 'mon.', '--cap', 'mon', 'allow *');
  run('ceph-authtool', ...keyring, 'client.admin', ...everything);
  run('ceph-authtool', ...keyring, 'osd.0', '--cap', 'mon', 'allow profile osd', '--cap', 'osd', 'allow *');
  const address = `[v2:127.0.0.1:${settings.monitor}/0]`;
  run('monmaptool', '--create', '--fsid', settings.cluster, '--addv', 'a', address, 'monmap');
  run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', 'monmap', '--keyring', 'keyring');
  start('ceph-mon', '-i', 'a');
  const store = randomUUID();
  run('ceph', 'osd', 'new', store);
  run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', store);
  start('ceph-osd', '-i', '0');
  start('radosgw', '-n', 'client.admin');

  const admin = (...args: readonly string[]) => run('radosgw-admin', '-n', 'client.admin', ...args);
  const endpoint = `http://127.0.0.1:${settings.port}`;
  await answers(endpoint);
  const users = await issuingProxy({ admin, endpoint });
  const namesOf = (kind: 'user' | 'bucket') => JSON.parse(admin(kind, 'list')) as readonly string[];
  return {
    account: ({ accessKeyId, secret }) => ({
      endpoint,
      iam: { endpoint: users.url, region: 'us-east-1' },
      region: 'eu-central-1',
      accessKeyId,
      secretAccessKey: secret,
    }),
    user: (name, { accessKeyId, secret }) => {
      const key = ['--access-key', accessKeyId, '--secret-key', secret, '--caps', 'user-policy=*'];
      admin('user', 'create', '--uid', name, '--display-name', name, ...key);
    },
    empty: (kept) => {
      for (const bucket of namesOf('bucket')) admin('bucket', 'rm', '--bucket', bucket, '--purge-objects');
      for (const user of namesOf('user')) if (!kept.includes(user)) admin('user', 'rm', '--uid', user);
    },
    stop: async () => {
      await users.stop();
      const ended = children.map((child) => new Promise((resolve) => child.once('exit', resolve)));
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ended);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<void> {
  const until = performance.now() + 90_000;
  for (;;) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    if (performance.now() > until) throw new Error('radosgw does not answer');
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

import { Context, Effect } from 'effect';
import { Cloud } from '../../../runtime/services/cloud.ts';
import { Cluster } from '../../../runtime/services/cluster/cluster.ts';
import { GitHost } from '../../../runtime/services/gitHost.ts';
import { ManagedDb } from '../../../runtime/services/managedDb.ts';
import { ObjectStore } from '../../../runtime/services/objectStore.ts';
import { DnsProvider } from '../../../runtime/services/dns/provider.ts';
import { Receivers } from '../../../runtime/services/receivers.ts';
import { Ssh } from '../../../runtime/services/ssh/ssh.ts';
import type { Services } from '../../../runtime/start.ts';
import { aroundCalls, type Called } from '../services/calls.ts';
import { counts } from '../services/counting.ts';
import { aroundCloud, aroundDnsProvider, aroundGit, aroundProvider, aroundStore } from './others.ts';
import { aroundReceivers, aroundSsh } from './networkFaults.ts';

/** A call with a side effect, as text; and the write, if it is one. */
export interface OutsideCall {
  readonly text: string;
  readonly write?: Called;
}

/** A wrapper around each call of a process with a side effect. */
export type AroundCall = <A, E>(made: OutsideCall, run: Effect.Effect<A, E>) => Effect.Effect<A, E>;

const sayFields = (body: unknown): string => {
  if (typeof body !== 'object' || body === null) return '';
  const { metadata, spec: _, history: __, ...rest } = body as Readonly<Record<string, unknown>>;
  const said = JSON.stringify({ ...rest, ...(metadata ? { metadata } : {}) });
  return said.length > 160 ? `${said.slice(0, 157)}…` : said;
};

const sayWrite = ({ verb, plural, name, body }: Called) =>
  `${verb} ${plural}/${name}${verb === 'create' ? '' : ` ${sayFields(body)}`}`;

/** The services of one process, with every side-effecting call wrapped, and every call of the cluster by `meet`. */
export function withRecordedCalls(
  services: Context.Context<Services>,
  around: AroundCall,
  recordCall: <A, E>(run: Effect.Effect<A, E>) => Effect.Effect<A, E>,
): Context.Context<Services> {
  const recorded = <A, E>({ plural }: Called, run: Effect.Effect<A, E>) => (counts({}, plural) ? recordCall(run) : run);
  const writes = aroundCalls(Context.get(services, Cluster), {
    read: (_, run) => run,
    write: (called, run) => (counts({}, called.plural) ? around({ text: sayWrite(called), write: called }, run) : run),
  });
  const cluster = aroundCalls(writes, { read: recorded, write: recorded });
  const git = aroundGit(Context.get(services, GitHost), { git: (text, run) => around({ text }, run) });
  const store = aroundStore(Context.get(services, ObjectStore), { store: (text, run) => around({ text }, run) });
  const provider = aroundProvider(Context.get(services, ManagedDb), { provider: (text, run) => around({ text }, run) });
  const dnsProvider = aroundDnsProvider(Context.get(services, DnsProvider), {
    git: (text, run) => around({ text }, run),
  });
  const ssh = aroundSsh(Context.get(services, Ssh), { git: (text, run) => around({ text }, run) });
  const receivers = aroundReceivers(Context.get(services, Receivers), { git: (text, run) => around({ text }, run) });
  const cloud = aroundCloud(Context.get(services, Cloud), { cloud: (text, run) => around({ text }, run) });
  return services.pipe(
    Context.add(Cluster, cluster),
    Context.add(GitHost, git),
    Context.add(ObjectStore, store),
    Context.add(ManagedDb, provider),
    Context.add(Cloud, cloud),
    Context.add(DnsProvider, dnsProvider),
    Context.add(Ssh, ssh),
    Context.add(Receivers, receivers),
  );
}

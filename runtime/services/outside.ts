import { Context } from 'effect';
import { type Gate, gatedCloud, gatedCluster, gatedExec, gatedManagedDb, gatedReceivers, gatedStore } from './gate.ts';
import { Cloud } from './cloud.ts';
import { gatedProvider, gatedSsh } from './reachGate.ts';
import { Cluster } from './cluster/cluster.ts';
import { Dns } from './dns/names.ts';
import { Probe } from './dns/probe.ts';
import { DnsProvider } from './dns/provider.ts';
import { Exec } from './exec.ts';
import { GitHost } from './gitHost.ts';
import { ManagedDb } from './managedDb.ts';
import { ObjectStore } from './objectStore.ts';
import { Passwords } from './passwords.ts';
import { Ssh } from './ssh/ssh.ts';
import { Receivers } from './receivers.ts';

/** A service of the outside world, and how its writes are gated. */
interface OutsideService<Identifier, Shape> {
  readonly service: Context.Key<Identifier, Shape>;
  readonly gated: <Others>(
    services: Context.Context<Others | Identifier>,
    gate: Gate,
  ) => Context.Context<Others | Identifier>;
}

const behindGate = <Identifier, Shape>(
  service: Context.Key<Identifier, Shape>,
  gatedShape: (shape: Shape, gate: Gate) => Shape,
): OutsideService<Identifier, Shape> => ({
  service,
  gated: (services, gate) => Context.add(services, service, gatedShape(Context.get(services, service), gate)),
});

/** A service without writes needs no gate. */
const onlyAsked = <Shape>(shape: Shape): Shape => shape;

/** The services that observing, acting and ensuring may need; a new one is a file in services/ and a line here. */
const outsideServices = {
  cluster: behindGate(Cluster, gatedCluster),
  cloud: behindGate(Cloud, gatedCloud),
  exec: behindGate(Exec, gatedExec),
  gitHost: behindGate(GitHost, onlyAsked),
  managedDb: behindGate(ManagedDb, gatedManagedDb),
  objectStore: behindGate(ObjectStore, gatedStore),
  passwords: behindGate(Passwords, onlyAsked),
  dns: behindGate(Dns, onlyAsked),
  probe: behindGate(Probe, onlyAsked),
  dnsProvider: behindGate(DnsProvider, gatedProvider),
  ssh: behindGate(Ssh, gatedSsh),
  receivers: behindGate(Receivers, gatedReceivers),
};

type OutsideServices = typeof outsideServices;
export type OutsideName = keyof OutsideServices;
type IdentifierOf<D> = D extends OutsideService<infer Identifier, infer _> ? Identifier : never;
export type Outside = { readonly [Name in OutsideName]: IdentifierOf<OutsideServices[Name]> }[OutsideName];

type Gating = <Services>(services: Context.Context<Services>, gate: Gate) => Context.Context<Services>;

/** The services with all their writes behind the gate. */
export const gatedBy = <Others>(
  services: Context.Context<Others | Outside>,
  gate: Gate,
): Context.Context<Others | Outside> =>
  Object.values(outsideServices).reduce((before, { gated }) => (gated as Gating)(before, gate), services);

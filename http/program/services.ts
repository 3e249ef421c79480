import { Context, Effect, Layer } from 'effect';
import type { ClusterShape } from '../../runtime/services/cluster/cluster.ts';
import { awsCloud } from '../../runtime/services/awsCloud.ts';
import { Exec, type ExecShape } from '../../runtime/services/exec.ts';
import { Cluster } from '../../runtime/services/cluster/cluster.ts';
import { fileJournal } from '../../runtime/services/fileJournal.ts';
import { cloudflare } from '../../runtime/services/dns/cloudflare.ts';
import { httpsProbe } from '../../runtime/services/dns/httpsProbe.ts';
import { Dns } from '../../runtime/services/dns/names.ts';
import { Probe } from '../../runtime/services/dns/probe.ts';
import { DnsProvider } from '../../runtime/services/dns/provider.ts';
import { dnsOver } from '../../runtime/services/dns/resolver.ts';
import type { ClusterNames } from '../../runtime/services/cluster/names.ts';
import { Functions, httpFunctions } from '../../runtime/services/functions.ts';
import { Journal } from '../../runtime/services/journal.ts';
import { httpManagedDb } from '../../runtime/services/httpManagedDb.ts';
import { ManagedDb } from '../../runtime/services/managedDb.ts';
import { Metrics, type MetricsShape } from '../../runtime/services/metrics.ts';
import { MetricsStore, prometheusStore } from '../../runtime/services/metricsStore.ts';
import { Passwords, randomPasswords } from '../../runtime/services/passwords.ts';
import { nodeReceivers, Receivers } from '../../runtime/services/receivers.ts';
import type { AddressCheck } from '../../rules/webhookDelivery/addressCheck.ts';
import { octokitGitHost } from '../../runtime/services/octokitGitHost.ts';
import { s3ObjectStore } from '../../runtime/services/s3ObjectStore.ts';
import { sshClient } from '../../runtime/services/ssh/client.ts';
import { Ssh } from '../../runtime/services/ssh/ssh.ts';
import type { Services } from '../../runtime/start.ts';

/** The real implementation of every service. */
export const realServices = (given: {
  readonly cluster: ClusterShape;
  readonly exec: ExecShape;
  readonly metrics: MetricsShape;
  /** How functions that are called, and object stores, are found. */
  readonly names: ClusterNames;
  readonly gitApiUrl: string;
  /** The API of the provider of managed databases; null where there is none. */
  readonly managedDbUrl: string | null;
  readonly journalDir: string;
  readonly dnsServers: readonly string[];
  readonly dnsApiUrl: string;
  readonly judge: AddressCheck;
}): Promise<Context.Context<Services | Exec | Functions | MetricsStore>> =>
  Effect.runPromise(
    Effect.scoped(
      Layer.build(
        Layer.mergeAll(
          Layer.succeed(Cluster, given.cluster),
          Layer.succeed(Exec, given.exec),
          Layer.succeed(Functions, httpFunctions(given.names)),
          Layer.succeed(MetricsStore, prometheusStore()),
          Layer.succeed(Metrics, given.metrics),
          Layer.succeed(ManagedDb, httpManagedDb({ baseUrl: given.managedDbUrl, timeoutMs: 10_000 })),
          Layer.succeed(Passwords, randomPasswords),
          Layer.succeed(Dns, dnsOver(given.dnsServers)),
          Layer.succeed(Probe, httpsProbe({ servers: given.dnsServers })),
          Layer.succeed(DnsProvider, cloudflare(given.dnsApiUrl)),
          Layer.succeed(Ssh, sshClient()),
          Layer.succeed(Receivers, nodeReceivers(given.judge)),
          Layer.succeed(Journal, fileJournal(given.journalDir)),
          octokitGitHost({ apiUrl: given.gitApiUrl, timeoutMs: 10_000 }),
          s3ObjectStore(given.names),
          awsCloud(given.names),
        ),
      ),
    ),
  );

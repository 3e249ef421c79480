import { Context, type Exit } from 'effect';
import { Cloud } from '../../../runtime/services/cloud.ts';
import { Cluster } from '../../../runtime/services/cluster/cluster.ts';
import { Dns } from '../../../runtime/services/dns/names.ts';
import { Probe } from '../../../runtime/services/dns/probe.ts';
import { DnsProvider } from '../../../runtime/services/dns/provider.ts';
import { GitHost } from '../../../runtime/services/gitHost.ts';
import { ManagedDb } from '../../../runtime/services/managedDb.ts';
import { ObjectStore } from '../../../runtime/services/objectStore.ts';
import { Receivers } from '../../../runtime/services/receivers.ts';
import { Ssh } from '../../../runtime/services/ssh/ssh.ts';
import type { OutsideName } from '../../../runtime/services/outside.ts';
import type { LeaseOptions } from '../../../runtime/lead/lease.ts';
import { type Services, startOperator, type Started } from '../../../runtime/start.ts';
import { numbers } from '../../support/random.ts';
import { type VirtualTime, virtualTime } from '../../support/virtualTime.ts';
import { makeTestEnvironment, type TestEnvironment } from '../../support/environment.ts';
import type { Plan } from '../plan/plan.ts';
import { type UserEdit, ofKind, sayTrouble, type Trouble } from '../plan/trouble.ts';
import type { Beside } from '../subjects/subject.ts';
import { faultKinds } from '../services/fault.ts';
import { withFaults } from '../services/faulty.ts';
import { withShuffledLists } from '../services/shuffled.ts';
import { type Log, makeLog } from './log.ts';
import { withLog } from './logged.ts';
import type { OutsideCall } from './recordedCalls.ts';
import { aroundCloud, aroundDnsProvider, aroundGit, aroundProvider, aroundStore, withOthers } from './others.ts';
import { aroundDns, aroundProbe, aroundReceivers, aroundSsh } from './networkFaults.ts';
import { nothingPlanted, type Planted } from './planted.ts';
import { type Commands, makeCommands } from './commands.ts';
import { newCounters, type Counters, counted, countedOthers } from './counters.ts';
import { makeObserver, type Observer } from './observer.ts';

type AllServices = Context.Context<Services>;

const start = Date.UTC(2027, 0, 1);

/** One running process: its operator, and what runs beside it. */
export interface Running extends Started {
  readonly beside: Beside | null;
}

/** One running plan: the environment, the layers between it and the processes, and all observers. */
export interface PlanEnvironment {
  readonly plan: Plan;
  readonly environment: TestEnvironment;
  readonly time: VirtualTime;
  readonly log: Log;
  readonly observer: Observer;
  readonly counters: Counters;
  readonly commands: Commands;
  /** The environment as the next process sees it. */
  readonly networkOf: () => Context.Context<Services>;
  /** Everything rests: from now on nobody may write. */
  readonly rests: (renewal: Extract<Trouble, { readonly is: 'restarts' | 'handsOver' }>) => void;
  readonly isAtRest: () => boolean;
  readonly start: (services: Context.Context<Services>, lease: LeaseOptions | undefined) => Promise<Running>;
  /** A process is about to make a call with a side effect. */
  readonly calling: (who: string, made: OutsideCall) => void;
  /** A process has made a call with a side effect. */
  readonly called: (who: string, made: OutsideCall, exit: Exit.Exit<unknown, unknown>) => void;
  /** The number of attempted writes, without those that recur. */
  readonly writes: () => number;
  readonly touch: (trouble: Trouble) => void;
  /** Makes an external change, as the plan specifies. */
  readonly edit: (trouble: UserEdit) => void;
  readonly untouched: () => readonly Trouble[];
  /** How often another service failed a process, or a list was stale. */
  readonly strikes: () => number;
  /** Schedules an action for a later time. */
  readonly wake: (at: number, act: () => void) => void;
  readonly nextWake: () => number;
  /** Runs the due actions; returns whether there were any. */
  readonly wakeDue: () => boolean;
}

export function makePlanEnvironment(plan: Plan, planted: Planted = nothingPlanted): PlanEnvironment {
  const { subject, troubles } = plan;
  const time = virtualTime(start, ofKind(troubles, 'order')[0]?.seed);
  const environment = makeTestEnvironment({
    now: time.wall,
    controllers: subject.controllers(),
    alsoSeen: subject.alsoSeen,
  });
  const log = makeLog(time.now);
  const counters = newCounters();
  const touched = new Set<Trouble>();
  const touch = (trouble: Trouble) => void touched.add(trouble);
  for (const trouble of ofKind(troubles, 'order')) touch(trouble);
  let alarms: readonly { readonly at: number; readonly act: () => void }[] = [];
  let calls = 0;
  let writes = 0;
  let atRest = false;
  /** Draws the order of lists; null while they come sorted. */
  let shuffles: (() => number) | null = null;

  plan.path.given(environment);
  const observer = makeObserver(plan, environment);
  const commands = makeCommands();
  environment.cluster.onChange(commands.changed);
  const faulty = withFaults(
    { ...counted(environment.cluster, counters), past: environment.cluster.past },
    ofKind(troubles, ...faultKinds),
  );
  let failed = 0;
  const others = withOthers(troubles, time.wall, (trouble) => {
    failed++;
    touch(trouble);
  });
  const counting = countedOthers(counters);
  /** The faults of each service; a new service of runtime/services/outside.ts needs a line here. */
  const befalling: Readonly<Record<OutsideName, (services: AllServices) => AllServices>> = {
    cluster: Context.add(Cluster, faulty.cluster),
    gitHost: Context.add(GitHost, aroundGit(aroundGit(Context.get(environment.services, GitHost), others), counting)),
    objectStore: Context.add(
      ObjectStore,
      aroundStore(aroundStore(Context.get(environment.services, ObjectStore), others), counting),
    ),
    managedDb: Context.add(
      ManagedDb,
      aroundProvider(aroundProvider(Context.get(environment.services, ManagedDb), others), counting),
    ),
    cloud: Context.add(Cloud, aroundCloud(aroundCloud(Context.get(environment.services, Cloud), others), counting)),
    // Without faults, because a password is generated in the process itself.
    passwords: (services) => services,
    dns: Context.add(Dns, aroundDns(aroundDns(Context.get(environment.services, Dns), others), counting)),
    probe: Context.add(Probe, aroundProbe(aroundProbe(Context.get(environment.services, Probe), others), counting)),
    ssh: Context.add(Ssh, aroundSsh(aroundSsh(Context.get(environment.services, Ssh), others), counting)),
    dnsProvider: Context.add(
      DnsProvider,
      aroundDnsProvider(aroundDnsProvider(Context.get(environment.services, DnsProvider), others), counting),
    ),
    // What a command in a container meets is part of the paths of terminals.
    exec: (services) => services,
    receivers: Context.add(
      Receivers,
      aroundReceivers(aroundReceivers(Context.get(environment.services, Receivers), others), counting),
    ),
  };
  const network = Object.values(befalling).reduce<AllServices>(
    (services, disturbed) => disturbed(services),
    environment.services,
  );
  const behind = (at: number) => {
    for (const jump of ofKind(troubles, 'jumps'))
      if (jump.at === at) {
        touch(jump);
        time.jump(jump.ms);
        log.add('the clock', `jumps by ${jump.ms / 1_000} s`);
      }
    for (const edit of ofKind(troubles, 'handAfter')) if (edit.at === at) apply(edit);
  };
  const apply = (edit: UserEdit) => {
    touch(edit);
    counters.changedAt ??= calls;
    log.add('somebody', edit.does);
    subject.userEdits[edit.does]?.(environment);
  };

  return {
    plan,
    environment,
    time,
    log,
    observer,
    counters,
    commands,
    networkOf: () =>
      shuffles === null
        ? network
        : Context.add(network, Cluster, withShuffledLists(Context.get(network, Cluster), shuffles)),
    rests: (renewal) => {
      atRest = true;
      if (renewal.is === 'restarts') shuffles = numbers(renewal.seed);
      log.add('the plan', `everything rests: ${sayTrouble(renewal)}`);
    },
    isAtRest: () => atRest,
    start: async (services, lease) => {
      // Each process has its own controllers, whose memory is lost with it.
      const controllers = subject.controllers();
      const own = withLog(planted.services?.(services) ?? services, environment.logged);
      const started = await startOperator(
        own,
        { ...environment.options, controllers: planted.controllers?.(controllers) ?? controllers },
        lease ? { lease } : {},
      );
      const beside = (await subject.beside?.({ operator: started.operator, services: own, environment })) ?? null;
      const crash = async () => {
        await beside?.crash();
        await started.crash();
      };
      return { ...started, crash, beside };
    },
    calling: (who, made) => {
      if (!made.write) return;
      observer.begun(who, made.write);
      if (atRest && subject.recurs?.(made.write) !== true && plan.path.mayWrite?.(made.write) !== true)
        observer.fault(`${who} would ${made.write.verb} ${made.write.plural}/${made.write.name}, although all rests`);
    },
    called: (who, made, exit) => {
      log.add(who, `${made.text}${exit._tag === 'Failure' ? ` → ${String(exit.cause)}` : ''}`);
      if (made.write) {
        if (subject.recurs?.(made.write) !== true) writes++;
        observer.written(who, made.write, exit);
      }
      behind(++calls);
    },
    writes: () => writes,
    touch,
    edit: apply,
    untouched: () => {
      const struck = new Set<Trouble>(
        faulty
          .touched()
          .filter(({ times }) => times > 0)
          .map(({ fault }) => fault),
      );
      return troubles.filter((trouble) => !touched.has(trouble) && !struck.has(trouble as never));
    },
    strikes: () => {
      const stale = faulty.touched().filter(({ fault }) => fault.is === 'staleList');
      return stale.reduce((sum, { times }) => sum + times, failed);
    },
    wake: (at, act) => {
      alarms = [...alarms, { at, act }];
    },
    nextWake: () => Math.min(...alarms.map(({ at }) => at)),
    wakeDue: () => {
      const due = alarms.filter(({ at }) => at <= time.now());
      alarms = alarms.filter((alarm) => !due.includes(alarm));
      for (const { act } of due) act();
      return due.length > 0;
    },
  };
}

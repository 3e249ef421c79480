import type { CoreApp } from '../../crds/coreApp.ts';
import { historyOf } from '../../runtime/step/history.ts';
import { apps, builds } from '../../runtime/services/cluster/kinds.ts';
import { sample } from '../support/sample.ts';
import { userBuild } from '../support/environment.ts';
import { manualReset } from '../support/reset.ts';
import { type SoakProcesses, type Outcome, outcomeOf } from './processes.ts';
import {
  after,
  type SoakCommand,
  countOutcome,
  countUnanswered,
  type UserBuild,
  type Ledger,
  type Patched,
  type Service,
} from './ledger.ts';
import type { Pushes } from './pushes.ts';
import type { Random } from './random.ts';
import type { Rest } from './rest.ts';
import type { Timeline } from './timeline.ts';

export interface LoadOptions {
  readonly processes: SoakProcesses;
  readonly ledger: Ledger;
  readonly rest: Rest;
  /** Null where there is no git on the machine. */
  readonly pushes: Pushes | null;
  readonly random: Random;
  readonly timeline: Timeline;
  /** Writes a second, about. */
  readonly rate: number;
  readonly mostBuilds: number;
}

/** Users at work, until they are told to stop. */
export interface Load {
  /** Resolves when the last call was answered or given up. */
  readonly stop: () => Promise<void>;
}

const kinds = {
  create: 30,
  changeSpec: 14,
  reset: 12,
  cancel: 6,
  remove: 6,
  createAgain: 6,
  rebuild: 10,
  cancelService: 5,
  changeService: 5,
  push: 6,
} as const;
type Kind = keyof typeof kinds;

const recipes = ['Buildfile', 'Buildfile.a', 'Buildfile.b', 'Buildfile.c'];

const mayStillBeCancelled = ['Pending', 'WaitingForCI', 'Running'];
/** A cancel that was found asked for already may also be spent, and a reset may come before the next pass. */
const takenUpBy: Readonly<Record<Patched['what'], readonly string[]>> = {
  reset: ['resetFound'],
  cancel: ['cancelFound', 'cancelSpent', 'resetFound'],
};

/** The service of the sample under another name. */
export function serviceNamed(name: string): CoreApp {
  const found = sample('first-build.yaml').find(({ kind }) => kind === 'CoreApp') as CoreApp | undefined;
  if (!found?.spec.source.git) throw new Error('the sample has no service built from a repository');
  const git = { ...found.spec.source.git, repository: `demo/${name}` };
  return { ...found, metadata: { ...found.metadata, name }, spec: { ...found.spec, source: { git } } };
}

/** Writes by the Kubernetes API, by REST and by git, chosen by the seed; every answer goes into the ledger. */
export function startLoad(options: LoadOptions): Load {
  const { processes, ledger, rest, pushes, random, timeline, rate, mostBuilds } = options;
  const { direct } = processes;
  const busy = new Set<string>();
  const underWay = new Set<Promise<void>>();
  let made = 0;

  const tell = (what: Kind, name: string, outcome: Outcome<unknown>) => {
    countOutcome(ledger, what, outcome.is);
    timeline.tell('load', `${what} ${name}: ${outcome.is === 'done' ? 'done' : `${outcome.is} (${outcome.why})`}`);
  };
  const userBuildThat = (holds: (one: UserBuild) => boolean) =>
    random.pick([...ledger.userBuilds.values()].filter((one) => !busy.has(one.name) && holds(one)));
  const anyService = () => random.pick([...ledger.services.values()].filter(({ name }) => !busy.has(name)));
  const here = ({ exists }: UserBuild) => exists === 'yes';

  async function put(what: 'create' | 'createAgain', one: UserBuild) {
    const recipe = random.pick(recipes) ?? '';
    one.recipes = [recipe];
    const outcome = await outcomeOf(direct.create(builds, userBuild(one.name, { app: one.name, buildfile: recipe })));
    one.exists = outcome.is === 'done' ? 'yes' : 'unknown';
    one.uid = outcome.is === 'done' ? (outcome.value.metadata.uid ?? null) : null;
    one.mayBeCancelled = false;
    tell(what, one.name, outcome);
  }

  async function patchStatus(what: 'reset' | 'cancel', one: UserBuild, status: object) {
    const outcome = await outcomeOf(direct.patchStatus(builds, { name: one.name }, status));
    tell(what, one.name, outcome);
    return outcome;
  }

  const remember = (what: Patched['what'], { name: build, uid }: UserBuild, over: number) =>
    void ledger.patched.push({ what, build, uid: uid ?? '', over, takenUpBy: takenUpBy[what] });

  async function ask(what: 'rebuild' | 'cancelService', service: Service) {
    const operator = random.pick(processes.operators);
    if (!operator) return;
    const event: SoakCommand['event'] = what === 'rebuild' ? 'rebuildAsked' : 'cancelAsked';
    if (event === 'cancelAsked') service.mayBeCancelled = true;
    const sentAt = Date.now();
    const path = `/api/v1/apps/${service.name}/build${event === 'cancelAsked' ? '/cancel' : ''}`;
    const outcome = await rest.post(operator, path);
    if (outcome.is === 'unknown') countUnanswered(ledger, service.name, event);
    if (outcome.is === 'done') {
      const { name: build } = outcome.value as { readonly name: string };
      ledger.asked.push({ event, build, sentAt, answeredAt: Date.now() });
    }
    tell(what, service.name, outcome);
  }

  const doing: Readonly<Record<Kind, () => readonly [name: string, run: () => Promise<void>] | null>> = {
    create: () => {
      if (ledger.userBuilds.size >= mostBuilds) return null;
      const ends = random.holds(0.15) ? 'badly' : 'well';
      const name = `${ends}-${String(made++).padStart(3, '0')}`;
      const one: UserBuild = { name, ends, exists: 'unknown', uid: null, recipes: [], mayBeCancelled: false };
      ledger.userBuilds.set(name, one);
      return [name, () => put('create', one)];
    },
    createAgain: () => {
      const one = userBuildThat(({ exists }) => exists === 'no');
      return one ? [one.name, () => put('createAgain', one)] : null;
    },
    remove: () => {
      const one = userBuildThat(here);
      return one
        ? [
            one.name,
            async () => {
              const outcome = await outcomeOf(direct.remove(builds, { name: one.name }));
              one.exists = outcome.is === 'done' ? 'no' : 'unknown';
              if (outcome.is === 'done' && one.uid !== null) ledger.deleted.set(one.uid, one.name);
              tell('remove', one.name, outcome);
            },
          ]
        : null;
    },
    changeSpec: () => {
      const one = userBuildThat(here);
      const buildfile = `${random.pick(recipes) ?? ''}.${random.below(1_000_000)}`;
      return one
        ? [
            one.name,
            async () => {
              const outcome = await outcomeOf(direct.patch(builds, { name: one.name }, { spec: { buildfile } }));
              one.recipes = after(one.recipes, buildfile, outcome.is);
              tell('changeSpec', one.name, outcome);
            },
          ]
        : null;
    },
    reset: () => {
      const one = userBuildThat(here);
      return one
        ? [
            one.name,
            async () => {
              const outcome = await patchStatus('reset', one, manualReset);
              const newest = outcome.is === 'done' ? historyOf(outcome.value).at(-1) : undefined;
              if (newest && newest.to !== 'Pending') remember('reset', one, newest.seq);
            },
          ]
        : null;
    },
    cancel: () => {
      const one = userBuildThat(here);
      if (!one) return null;
      one.mayBeCancelled = true;
      return [
        one.name,
        async () => {
          const outcome = await patchStatus('cancel', one, { cancelRequested: true });
          if (outcome.is !== 'done') return;
          const newest = historyOf(outcome.value).at(-1);
          const phase = outcome.value.status?.phase ?? '';
          if (newest?.to === phase && mayStillBeCancelled.includes(phase)) remember('cancel', one, newest.seq);
        },
      ];
    },
    rebuild: () => {
      const service = anyService();
      return service ? [service.name, () => ask('rebuild', service)] : null;
    },
    cancelService: () => {
      const service = anyService();
      return service ? [service.name, () => ask('cancelService', service)] : null;
    },
    changeService: () => {
      const service = anyService();
      const [cache, buildfile] = [random.holds(0.5), random.pick(recipes) ?? ''];
      return service
        ? [
            service.name,
            async () => {
              const spec = { build: { cache }, source: { git: { buildfile } } };
              const outcome = await outcomeOf(direct.patch(apps, { name: service.name }, { spec }));
              service.caches = after(service.caches, cache, outcome.is);
              service.recipes = after(service.recipes, buildfile, outcome.is);
              tell('changeService', service.name, outcome);
            },
          ]
        : null;
    },
    push: () => {
      const service = anyService();
      return service && pushes ? [service.name, () => pushTo(service, pushes)] : null;
    },
  };

  async function pushTo(service: Service, by: Pushes) {
    const { commit, outcome } = await by.push(service.name);
    service.heads = after(service.heads, commit, outcome.is);
    tell('push', `${service.name} ${commit.slice(0, 12)}`, outcome);
  }

  let isStopping = false;
  const turn = async () => {
    while (!isStopping) {
      await new Promise((go) => setTimeout(go, (2 * random.next() * 1_000) / rate));
      const chosen = isStopping ? null : doing[random.weighted(kinds)]();
      if (chosen === null) continue;
      const [name, run] = chosen;
      busy.add(name);
      const running = run().finally(() => {
        busy.delete(name);
        underWay.delete(running);
      });
      underWay.add(running);
    }
  };
  const turning = turn();
  return {
    stop: async () => {
      isStopping = true;
      await turning;
      await Promise.all(underWay);
    },
  };
}

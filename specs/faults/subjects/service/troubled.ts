import type { KubeObject } from '../../../../crds/kind.ts';
import type { StoredCause } from '../../../../crds/cause.ts';
import { isoTime } from '../../../../rules/time.ts';
import { workloadPods } from '../../../../runtime/controllers/capacity.ts';
import { replicaSets } from '../../../../runtime/owned/addonKinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { namespaces } from '../../../../runtime/services/cluster/resources.ts';
import { causesOf } from '../../../../runtime/step/derive.ts';
import { hangNamespace, releaseNamespace } from '../../../support/hangingNamespace.ts';
import { appIn } from '../../../support/service.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import type { Act, Actor } from '../subject.ts';
import { given, once, pathsOf, putKeys, retryOf, stateIn } from './paths.ts';

const late = 'late-keys';
const place = 'shop-production';

const worstIn = (environment: TestEnvironment): StoredCause | undefined => causesOf(appIn(environment))[0];
/** Once the worst cause of the service is this one, or there is none. */
const onceCaused = (reason: string | undefined, text: string, edit: Act['edit']): Act => ({
  text,
  when: (environment) => appIn(environment) !== undefined && worstIn(environment)?.reason === reason,
  ...(edit && { edit }),
});

/** Once the namespace that it was given up for is over. */
export const retryOnceResolved: Act = retryOf((environment) => worstIn(environment)?.resolved === true);

/** What a program writes before it ends, a value of a Secret among it. */
const lastWords = 'cannot log in with of-the-person';

type Step = 'ends' | 'starts' | 'runs';
const crashes: readonly (readonly [afterMs: number, does: Step])[] = [
  [120_000, 'ends'],
  ...[10_000, 20_000, 40_000].flatMap((afterMs) => [[afterMs, 'starts'] as const, [1_000, 'ends'] as const]),
  [80_000, 'starts'],
  [5_000, 'runs'],
];

interface Running extends KubeObject {
  readonly status?: object;
}

/** Writes the status of the pods and of what makes them. */
function podsAre({ cluster }: TestEnvironment, container: object, isReady: boolean, availableReplicas: number): void {
  for (const pod of cluster.all<Running>(workloadPods))
    cluster.put<Running>(workloadPods, {
      ...pod,
      status: {
        ...pod.status,
        conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
        containerStatuses: [{ name: 'app', ...container }],
      },
    });
  for (const resource of [replicaSets, owned.deployments])
    for (const owner of cluster.all<Running>(resource))
      cluster.put<Running>(resource, { ...owner, status: { ...owner.status, availableReplicas } });
}

/** Once the service runs, its program ends four times, and then runs for good. */
const crashing = (environment: TestEnvironment): readonly Actor[] => {
  let step = 0;
  let due: number | null = null;
  let restartCount = 0;
  let terminated: object = {};
  let startedAt = '';
  const does: Readonly<Record<Step, () => void>> = {
    ends: () => {
      terminated = { exitCode: 1, reason: 'Error', message: lastWords, finishedAt: isoTime(environment.now()) };
      podsAre(environment, { ...container(), state: { waiting: { reason: 'CrashLoopBackOff' } } }, false, 0);
    },
    starts: () => {
      restartCount++;
      startedAt = isoTime(environment.now());
      podsAre(environment, { ...container(), state: { running: { startedAt } } }, true, 0);
    },
    runs: () => podsAre(environment, { ...container(), state: { running: { startedAt } } }, true, 1),
  };
  const container = () => ({ restartCount, lastState: { terminated } });
  return [
    {
      act: (now) => {
        const next = crashes[step];
        if (next === undefined || (step === 0 && due === null && stateIn(environment) !== 'Ready')) return null;
        due ??= now + next[0];
        if (now < due) return null;
        [step, due] = [step + 1, null];
        does[next[1]]();
        return `the program ${next[1]}`;
      },
      nextAt: () => due ?? Infinity,
    },
  ];
};

/** What a service meets that its causes report: a Secret that comes late, a crash after Ready, a namespace that hangs. */
export const troubledPaths = pathsOf([
  {
    name: 'a Secret that it reads comes late',
    end: 'Ready',
    given: given({ secretRefs: [{ name: late }] }),
    script: [
      onceCaused('SecretMissing', 'the Secret comes', (environment) => putKeys(environment, 'of-the-person', late)),
    ],
  },
  {
    name: 'it crashes once it runs, and gets well',
    end: 'Ready',
    given: given(),
    script: [
      onceCaused('CrashLoop', 'it is reported', () => {}),
      onceCaused(undefined, 'it is reported no more', () => {}),
    ],
    also: crashing,
  },
  {
    name: 'its namespace hangs, and is made anew',
    end: 'Ready',
    given: given(),
    script: [
      once('Ready', 'its namespace is deleted and hangs', (environment) => hangNamespace(environment, place)),
      once('ProvisionFailed', 'it is gone, and made anew', (environment) => {
        releaseNamespace(environment, place);
        environment.cluster.put(namespaces, { metadata: { name: place } });
      }),
      retryOnceResolved,
    ],
  },
]);

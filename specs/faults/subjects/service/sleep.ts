import type { AppSpec } from '../../../../crds/coreApp.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { scaledObjects } from '../../../../runtime/owned/addonKinds.ts';
import { clusters } from '../../../../runtime/services/cluster/kinds.ts';
import {
  blindScalers,
  installKeda,
  isInstalled,
  kedaOver,
  requestEnds,
  uninstallKeda,
} from '../../../support/keda/fake.ts';
import { appIn, deploymentIn } from '../../../support/service.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import type { Act, Actor } from '../subject.ts';
import { dropService, given, once, pathsOf, scale, specIs, stateIn } from './paths.ts';

const host = 'hello.example';
const asleep = { enabled: true, idleSeconds: 60 } as const;
const sleepy: Partial<AppSpec> = { networking: { host }, scaleToZero: asleep };

const addonIs =
  (serverless: boolean) =>
  ({ cluster }: TestEnvironment): void => {
    for (const found of cluster.all(clusters))
      cluster.put(clusters, { ...found, spec: { ...found.spec, addons: { serverless } } });
  };
const withAddon = (environment: TestEnvironment) => {
  addonIs(true)(environment);
  installKeda(environment);
};
const sleeper = (spec: Partial<AppSpec> = {}) => given({ ...sleepy, ...spec }, {}, withAddon);

const keda = (environment: TestEnvironment): readonly Actor[] => {
  const { looks, nextAt } = kedaOver(environment);
  return [{ act: (now) => looks(now), nextAt }];
};

/** Once its last copy has ended. */
const whenAsleep = (text: string, edit: (environment: TestEnvironment) => void): Act => ({
  text,
  when: (environment) => {
    const { availableReplicas = 0 } = (deploymentIn(environment)?.status ?? {}) as {
      readonly availableReplicas?: number;
    };
    return stateIn(environment) === 'Asleep' && availableReplicas === 0;
  },
  edit,
});
/** What the add-on does for a request. */
const woken = (environment: TestEnvironment) => scale(environment, 1);
const sleptOnce: readonly Act[] = [whenAsleep('a request comes', woken)];

/** A service whose cluster lets it sleep, while people and the add-on come and go. */
export const sleepingPaths = pathsOf(
  [
    { name: 'it falls asleep', end: 'Asleep', given: sleeper() },
    { name: 'it is woken and falls asleep again', end: 'Asleep', given: sleeper(), script: sleptOnce },
    {
      name: 'it is to sleep no more',
      end: 'Ready',
      given: sleeper(),
      script: [whenAsleep('always on', specIs({ scaleToZero: { enabled: false } }))],
    },
    {
      name: 'it may sleep later',
      end: 'Asleep',
      given: given({ networking: { host } }, {}, withAddon),
      script: [once('Ready', 'it may sleep', specIs({ scaleToZero: asleep }))],
    },
    {
      name: 'its host goes while it sleeps',
      end: 'Ready',
      given: sleeper(),
      script: [whenAsleep('the host goes', specIs({ networking: {} }))],
    },
    {
      name: 'its host changes while it sleeps',
      end: 'Asleep',
      given: sleeper(),
      script: [whenAsleep('another host', specIs({ networking: { host: 'other.example' } }))],
    },
    {
      name: 'it is autoscaled instead',
      end: 'Ready',
      given: sleeper(),
      script: [whenAsleep('autoscaling', specIs({ autoscaling: { enabled: true, min: 1, max: 3 } }))],
    },
    {
      name: 'the add-on is switched off while it sleeps',
      end: 'Ready',
      given: sleeper(),
      script: [whenAsleep('the add-on is off', addonIs(false))],
    },
    {
      name: 'the add-on is uninstalled while it sleeps',
      end: 'Ready',
      given: sleeper(),
      script: [whenAsleep('the add-on is uninstalled', uninstallKeda)],
    },
    { name: 'the add-on is not installed', end: 'Ready', given: given(sleepy, {}, addonIs(true)) },
    {
      name: 'the add-on is installed late',
      end: 'Asleep',
      given: given(sleepy, {}, addonIs(true)),
      script: [once('Ready', 'the add-on is installed', installKeda)],
    },
    { name: 'it is deleted while it sleeps', end: '', given: sleeper(), script: [whenAsleep('deleted', dropService)] },
  ].map((told) => ({ ...told, also: keda })),
  // How many steps led there.
  /metadata\.generation/,
);

/** Where a request under the host of the paths is to be answered: the service stands, and the add-on holds requests for it. */
const isHeld = (environment: TestEnvironment): boolean => {
  const app = appIn(environment);
  const isAlive = app !== undefined && app.metadata.deletionTimestamp === undefined;
  return isAlive && isInstalled(environment) && app.spec.networking?.host === host;
};

const maySleep = (environment: TestEnvironment): boolean => appIn(environment)?.spec.scaleToZero?.enabled === true;

/**
 * What must hold of sleeping after every change: no request is lost, and nothing stops copies whose visitors it does not
 * see. What a former leader asked for may come late, and is taken away again.
 */
export function makeSleepOracle(environment: TestEnvironment): (changed: KubeObject) => readonly string[] {
  let wasReached = false;
  let isLate = false;
  let wasBlind = false;
  return (changed) => {
    if (!isHeld(environment)) {
      wasReached = isLate = wasBlind = false;
      return [];
    }
    const isLost = requestEnds(environment, host) === 'lost';
    wasReached ||= !isLost;
    const blind = blindScalers(environment, host);
    isLate =
      blind.length > 0 && (isLate || (!wasBlind && !maySleep(environment) && changed.kind === scaledObjects.kind));
    wasBlind = blind.length > 0;
    return [...(wasReached && isLost ? ['a request is lost'] : []), ...(isLate ? [] : blind)];
  };
}

/** At rest a service without a copy can be woken, and its visitors are seen. */
export const cannotWake = (environment: TestEnvironment): readonly string[] => [
  ...(deploymentIn(environment)?.spec.replicas === 0 && environment.cluster.all(scaledObjects).length === 0
    ? ['it has no copy, and nothing wakes it']
    : []),
  ...(isHeld(environment) ? blindScalers(environment, host) : []),
];

import * as assert from 'uvu/assert';
import { sizeOf, writesSince } from '../audit.ts';
import { conditionIn, isNone, objectOf, pause, podsIn, untilCondition } from '../core.ts';
import { upgradedCore, upgradedImage } from '../images.ts';
import { withoutLoss } from '../load.ts';
import { machineOf, needsMachine, type Steps } from '../step.ts';
import { installed } from './install.ts';
import { applyAll, core } from './objects.ts';

const [project, environment, namespace] = ['town', 'live', 'town-live'] as const;
const requested = 'a site of two copies serves, and a service that exits at once is requested';

/** A page that ends as soon as it is asked to, with whatever it is answering. */
const page = "trap 'exit 0' TERM; busybox httpd -f -p 8080 -h /www & wait";

const projectObject = core('CoreProject', project, { clusterRef: { name: 'local' }, environments: [environment] });
const service = (name: string, image: string, more: object = {}) =>
  core('CoreApp', name, { project, environment, source: { image }, deploy: { enabled: true }, ...more });
const site = (image: string) => service('site', image, { replicas: 2 });

const addressOf = async ({ kubectl }: Parameters<Steps>[0], name: string, within: string, port: number) => {
  const ip = await kubectl(`get service ${name} -n ${within} -o jsonpath={.spec.clusterIP}`);
  return `http://${ip}:${port}`;
};

/** Services are replaced while they are visited. */
export const services: Steps = (cluster) => [
  {
    scenario: 'services',
    title: requested,
    after: [installed],
    lacks: () => needsMachine(cluster),
    run: async () => {
      const { push } = machineOf(cluster);
      for (const name of ['page:1', 'page:2']) await push('busybox', name, page);
      await push('busybox', 'exits:1', 'exit 1');
      await applyAll(cluster, projectObject, site('library/page:1'), service('exits', 'library/exits:1'));
      await untilCondition(cluster, 'coreapp site -n core-system');
      return 'library/page:1, library/exits:1';
    },
  },
  {
    scenario: 'services',
    title: 'a rollout loses no request',
    after: [requested],
    run: async () => {
      const before = await podsIn(cluster, namespace);
      const url = await addressOf(cluster, 'site', namespace, 80);
      const told = await withoutLoss(cluster, { url, seconds: 30 }, async () => {
        await applyAll(cluster, site('library/page:2'));
        await cluster.kubectl(`rollout status -n ${namespace} deploy/site --timeout=25s`);
      });
      const now = await podsIn(cluster, namespace);
      assert.not.ok([...now.keys()].filter((name) => name.startsWith('site-')).some((name) => before.has(name)));
      return told;
    },
  },
];

const loops = 'a service that ends 20 s after each start was Ready';
const optional = 'a crash loop is watched for ten minutes';
const loopMs = 600_000;
/** Status writes for each end of the program. */
const maxWrites = 1.2;
let [loopsFrom, loopsAt] = [0, 0];

/** A service that was Ready ends again and again. */
export const crashes: Steps = (cluster) => [
  {
    scenario: 'services',
    title: loops,
    after: [requested],
    optional,
    run: async () => {
      const { push, auditLog } = machineOf(cluster);
      await push('busybox', 'loops:1', 'busybox httpd -p 8080 -h /www; sleep 20; echo FATAL: no more; exit 3');
      await applyAll(cluster, service('loops', 'library/loops:1'));
      await untilCondition(cluster, 'coreapp loops -n core-system');
      [loopsFrom, loopsAt] = [sizeOf(auditLog), Date.now()];
      return 'library/loops:1';
    },
  },
];

/** What the loop has cost. */
export const crashed: Steps = (cluster) => [
  {
    scenario: 'services',
    title: `a crash loop after Ready makes at most ${maxWrites} status writes for each end, and one Warning`,
    after: [loops],
    optional,
    run: async () => {
      await pause(Math.max(0, loopsAt + loopMs - Date.now()));
      const { auditLog } = machineOf(cluster);
      const writes = writesSince(auditLog, loopsFrom).filter((line) => line.includes('/coreapps/loops/status '));
      const { items = [] } = (await objectOf<Pods>(cluster, `pods -n ${namespace}`)) ?? {};
      const pod = items.find(({ metadata }) => metadata.name.startsWith('loops-'));
      const [container] = pod?.status?.containerStatuses ?? [];
      const ends = (container?.restartCount ?? 0) + (container?.state.running === undefined ? 1 : 0);
      const warnings = await cluster.kubectl(
        'get events -n core-system --field-selector involvedObject.name=loops,type=Warning -o jsonpath={.items[*].reason}',
      );
      const { causes = [] } = (await objectOf<Caused>(cluster, 'coreapp loops -n core-system'))?.status ?? {};
      const said = `${writes.length} writes over ${ends} ends; Warnings ${warnings}; ${causes.map(({ reason, message }) => `${reason}: ${message}`).join('; ')}`;
      assert.ok(ends >= 4 && writes.length <= maxWrites * ends, `${said}\n${writes.join('\n')}`);
      assert.is(warnings, 'CrashLoop', said);
      return said;
    },
  },
];

interface Pods {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly status?: {
      readonly containerStatuses?: readonly {
        readonly restartCount: number;
        readonly state: { readonly running?: object };
      }[];
    };
  }[];
}

interface Caused {
  readonly metadata: { readonly name: string };
  readonly status?: { readonly causes?: readonly { readonly reason: string; readonly message: string }[] };
}

/** Core is replaced while it is visited. */
export const upgrade: Steps = (cluster) => [
  {
    scenario: 'services',
    title: 'an upgrade of Core loses no request, and restarts no service',
    after: [requested],
    run: async () => {
      await upgradedCore(machineOf(cluster));
      const before = await podsIn(cluster, namespace);
      const url = await addressOf(cluster, 'core-core-dashboard', 'core-system', 8085);
      const told = await withoutLoss(cluster, { url, seconds: 30 }, async () => {
        await cluster.kubectl(`set image -n core-system deploy/core core=${upgradedImage}`);
        await cluster.kubectl('rollout status -n core-system deploy/core --timeout=28s');
      });
      const now = await podsIn(cluster, namespace);
      const replaced = [...before].filter(([name, uid]) => name.startsWith('site-') && now.get(name) !== uid);
      isNone(
        replaced.map(([name]) => name),
        'replaced pods',
      );
      return told;
    },
  },
];

interface Health {
  readonly ok: boolean;
  readonly late?: readonly string[];
}

/** What is late in a Core that stays is late by then. */
const steadyMs = 201_000;

/** Core stays ready long after a start. */
export const steady: Steps = (cluster) => [
  {
    scenario: 'services',
    title: 'Core is ready 200 s after its start',
    after: [installed],
    run: async () => {
      const columns = '{.metadata.name} {.status.startTime}';
      const [name = '', startedAt = ''] = (
        await cluster.kubectl(
          `get pods -n core-system -l app.kubernetes.io/name=core -o jsonpath={range.items[0]}${columns.replace(' ', '{","}')}{end}`,
        )
      ).split(',');
      await pause(Math.max(0, Date.parse(startedAt) + steadyMs - Date.now()));
      const seconds = (Date.now() - Date.parse(startedAt)) / 1_000;
      assert.ok(seconds > 200, `${name} runs for ${seconds} s`);
      const health = JSON.parse(
        await cluster.kubectl(`get --raw /api/v1/namespaces/core-system/pods/${name}:8086/proxy/readyz`),
      ) as Health;
      assert.equal(health, { ok: true });
      return `${JSON.stringify(health)} after ${seconds.toFixed(0)} s`;
    },
  },
];

/** A service that exits at once is given up after several minutes. */
export const givenUp: Steps = (cluster) => [
  {
    scenario: 'services',
    title: 'the service that exits at once was never Ready, and is given up',
    after: [requested],
    run: async () => {
      const exits = await objectOf(cluster, 'coreapp exits -n core-system');
      const { status, reason, message = '' } = conditionIn(exits, 'Ready') ?? {};
      assert.is(`${status} ${exits?.status?.phase}`, 'False ProvisionFailed', `${reason}: ${message}`);
      const events = await cluster.kubectl(
        'get events -n core-system --field-selector involvedObject.name=exits -o jsonpath={.items[*].message}',
      );
      assert.not.match(events, /\bto Ready\b/);
      return message;
    },
  },
];

import { kinds } from '../../../crds/kinds.ts';
import { exits } from '../../../http/cli/exits.ts';
import { goodForMs } from '../../../http/lists/continue.ts';
import { usualItems } from '../../../http/mcp/list/listTool.ts';
import { maxUncaught } from '../../../http/program/lastResort.ts';
import { tables } from '../../../machines/tables.ts';
import { archiveKeptMs } from '../../../rules/backupArchive/retirement.ts';
import { clusterSources } from '../../../rules/cluster/addons.ts';
import { consoleSessionLimits } from '../../../rules/consoleSession/limits.ts';
import { databaseLimits } from '../../../rules/database/limits.ts';
import { maxCode } from '../../../rules/function/code.ts';
import { environmentResources } from '../../../rules/project/environmentResources.ts';
import { provisionRetryLimits } from '../../../rules/provisionRetry/events.ts';
import { minReadySeconds } from '../../../rules/service/deployment.ts';
import { neverSleeps } from '../../../rules/service/wakePlan.ts';
import { everything } from '../../../runtime/controllers/all.ts';
import { version } from '../../../runtime/embedded/api/discovery.ts';
import { leaseTimes } from '../../../runtime/lead/leaseRecord.ts';
import { bugs } from '../../faults/bugs/all.ts';
import { defaults } from '../../../http/program/settings.ts';
import type { Figure } from './compare.ts';
import { day, kibibyte, minute, second } from './units.ts';
import { numberWritten, written } from './written.ts';

export const node: Figure = ['Node {} or later', written('package.json', /"node": ">=([\d.]+)"/)];
export const kubernetes = `${version.major}.${version.minor}`;
export const kubectl = written('specs/support/kubectl.ts', /older than (1\.\d+)/);
/** Of what the leader's lease lasts, by the spec that crashes leaders. */
export const takeover = numberWritten('specs/runtime/lead/lease.spec.ts', /ms <= ([\d.]+) \* leaseMs, /);

const kept: Figure = ['archive is kept for {} days', archiveKeptMs / day];
const protectedWithin: Figure = [
  'protected within {} minutes',
  numberWritten('crds/samples/first-backup.yaml', /=Protected --timeout=(\d+)m$/m),
];
const givenUp: Figure = [
  'fails {} times, or for {} minutes, is given up',
  provisionRetryLimits.failuresInARow,
  provisionRetryLimits.lastingMs / minute,
];
const served: Figure = ['one of {} kinds', kinds.length];
const waited: Figure = ['exit code {} when it fails, {} when it takes longer', exits.deployFailed, exits.timedOut];

const { controllers } = everything({ builder: { builderImage: '', gitImage: '', gitUrl: '' } });
const machinesOf = (kind: string): number =>
  controllers.filter(({ resource }) => resource.kind === kind).flatMap(({ lifecycles }) => lifecycles).length;
const policies = environmentResources({ project: 'p', environment: 'e', cluster: 'c' }, {}).filter(
  ({ kind }) => kind === 'NetworkPolicy',
);

export const readme: readonly Figure[] = [
  node,
  served,
  givenUp,
  protectedWithin,
  kept,
  waited,
  ['archives kept for {} days', archiveKeptMs / day],
  [
    'A service with {} variables that wait for a deploy',
    numberWritten('specs/pictures/take.ts', /'(\d+) variables not deployed'/),
  ],
  ['Kubernetes {} or later', written('crds/install/kustomization.yaml', /Kubernetes (1\.\d+) or later/)],
  ['{} or later, which brings', { because: 'it is the first Helm that takes over what another tool made' }],
  ['in Helm {} with', { because: 'it is the Helm that applies on the server' }],
  ['a real control plane of Kubernetes {}', kubernetes],
  ['another leads {} seconds later', leaseTimes(Number(defaults['lease-seconds'])).retryMs / second],
  ['another leads within {} times', takeover],
  ['The {} within {} minute that is of no request', maxUncaught.errors, maxUncaught.withinMs / minute],
  ['There are {} lifecycles', Object.keys(tables).length],
  ['{} processes lead at once', { because: 'it names the fault of two leaders' }],
  ['# {} bugs planted', bugs.length],
  ['# {} real operators', numberWritten('specs/soak/main.ts', /operators: \{ type: 'string', default: '(\d+)' \}/)],
];

const runner = (file: string, pattern: RegExp): Figure => [
  'A body of more than {} MiB is answered',
  numberWritten(`runtime/services/runners/${file}`, pattern) / kibibyte,
];

export const crds: readonly Figure[] = [
  served,
  givenUp,
  protectedWithin,
  kept,
  ['{} machines describe a service', machinesOf('CoreApp')],
  ['{} machines describe a database', machinesOf('CoreDatabase')],
  ['at most {} bytes long', maxCode],
  runner('runner.mjs', /bodyAtMost = (\d+) \* 1024;$/m),
  runner('runner.py', /BODY_AT_MOST = (\d+) \* 1024$/m),
  ['HTTP add-on {} or later', /:(\d+\.\d+)\.\d+$/.exec(clusterSources.serverlessHttpChart)?.[1] ?? ''],
  ['{} steps let a service sleep', Object.values(neverSleeps).filter((step) => step === false).length],
  ['with {} network policies', policies.length],
  ['a report that {} nodes are Ready', databaseLimits.haNodes],
  ['in up to {} attempts', tables.webhookDelivery.states.filter((state) => state.endsWith('Attempt')).length],
  ['which a copy does after {} seconds without an end', minReadySeconds],
  [
    '{} minutes unless the session asks for up to {}',
    consoleSessionLimits.timeoutDefaultSeconds / 60,
    consoleSessionLimits.timeoutMaxSeconds / 60,
  ],
];

export const http: readonly Figure[] = [
  ['Lists are answered {} at a time', usualItems],
  [
    '`limit` ({} to {}) and answer',
    1,
    numberWritten('http/openapi/paging.ts', /maximum: (\d+), description: 'At most this many/),
  ],
  ['good for {} minutes', goodForMs / minute],
  waited,
];

import { accountFigures } from './accounts.ts';
import { backups } from './backups.ts';
import { besideStreamsLines, longRequestLines, manyRefsLines } from './callerLines.ts';
import { causeLines, causesToReadyLines } from './causes/lines.ts';
import { commandLine } from './cli.ts';
import { compressedLines } from './compressedLines.ts';
import { apiAnswer } from './http.ts';
import { containerFigures } from './containers.ts';
import { consoles, consolesAtRest, consolesStalled } from './consoles/lines.ts';
import { databaseLines } from './databaseLines.ts';
import { dashboardFigures } from './dashboard.ts';
import { firstRowsLines } from './firstRows.ts';
import { deafness } from './deaf.ts';
import { decisionFigures } from './decision.ts';
import { draining } from './drainLines.ts';
import { embeddedApi } from './embedded.ts';
import { writeLines } from './writeLines.ts';
import { failoverFigures } from './failover.ts';
import { fanOut } from './fanOut.ts';
import { fleetLines } from './fleetLines.ts';
import { functions } from './functionLines.ts';
import { idleFigures } from './idle.ts';
import { interfered } from './interferenceLine.ts';
import { type Line, times } from './line.ts';
import { listLines } from './lists/lines.ts';
import { longLists } from './longLists.ts';
import { machineLines } from './machineLines.ts';
import { manyObjects } from './manyObjects.ts';
import { memoryFigures } from './memory.ts';
import { newBuilds } from './newBuild.ts';
import { newDatabases } from './newDatabase.ts';
import { newServices } from './newService.ts';
import { deliveryLines, hangingLines, publishingLines } from './outsideLines.ts';
import { ownedFigures } from './owned.ts';
import { pageAnswer } from './page.ts';
import { proxiedFigures } from './proxied.ts';
import { readyFigures } from './ready.ts';
import { serviceLogs } from './serviceLogs/lines.ts';
import { services, servicesAtRest } from './serviceLines.ts';
import { signInFigures } from './signIn.ts';
import { viewersFigures } from './viewers.ts';

/** What files that are opened for each request come to (sirv 3.0.2). */
const rateFromDisk = 0.3;

async function decisions(): Promise<readonly Line[]> {
  const { ratio, rulesRatio, wholeNs } = decisionFigures();
  return [
    {
      what: 'a decision with its words and step, against the bare transition',
      figure: `${times(ratio)} (${(wholeNs / 1000).toFixed(1)} µs)`,
      budget: '≤ 1.5 ×',
      holds: ratio <= 1.5,
    },
    {
      what: 'the rules alone, against the same',
      figure: times(rulesRatio),
      budget: '≤ 0.1 ×',
      holds: rulesRatio <= 0.1,
    },
  ];
}

async function server(): Promise<readonly Line[]> {
  const { writesPerSecond, readsPerSecond, p99Ms, rssMb, readyMs } = await embeddedApi();
  const line = (what: string, figure: string, budget: string, holds: boolean): Line => ({
    what: `embedded API, 16 clients: ${what}`,
    figure,
    budget,
    holds,
  });
  return [
    line('durable writes', `${writesPerSecond.toFixed(0)}/s`, '≥ 3000/s', writesPerSecond >= 3000),
    line('reads', `${readsPerSecond.toFixed(0)}/s`, '≥ 7000/s', readsPerSecond >= 7000),
    line('p99', `${p99Ms.toFixed(1)} ms`, '≤ 15 ms', p99Ms <= 15),
    line('memory', `${rssMb.toFixed(0)} MB`, '≤ 200 MB', rssMb <= 200),
    line('ready', `${readyMs.toFixed(0)} ms`, '≤ 1000 ms', readyMs <= 1000),
  ];
}

async function answers(): Promise<readonly Line[]> {
  const { ratio, oursMs } = await apiAnswer();
  return [
    {
      what: 'an API answer from the cache, against a bare Koa handler',
      figure: `${times(ratio)} (${oursMs.toFixed(2)} ms)`,
      budget: '≤ 1.5 ×',
      holds: ratio <= 1.5,
    },
  ];
}

async function pages(): Promise<readonly Line[]> {
  const { ratio, oursMs } = await pageAnswer();
  return [
    {
      what: 'the page at /, against a bare server that sends the same bytes',
      figure: `${times(ratio)} of its rate (${oursMs.toFixed(2)} ms)`,
      budget: `≥ ${times(rateFromDisk)}`,
      holds: ratio >= rateFromDisk,
    },
  ];
}

async function ready(): Promise<readonly Line[]> {
  const { readyMs, rssMb } = await readyFigures();
  return [
    {
      what: 'the whole product ready',
      figure: `${readyMs.toFixed(0)} ms`,
      budget: '≤ 2000 ms',
      holds: readyMs <= 2000,
    },
    { what: 'its memory', figure: `${rssMb.toFixed(0)} MB`, budget: '≤ 300 MB', holds: rssMb <= 300 },
  ];
}

async function failover(): Promise<readonly Line[]> {
  const { leaseMs, tookMs } = await failoverFigures();
  const ratio = Math.max(...tookMs) / leaseMs;
  return [
    {
      what: 'a stand-by’s first pass after the leader was killed, against the lease’s duration',
      figure: `${times(ratio)} (${Math.max(...tookMs).toFixed(0)} ms of ${leaseMs} ms)`,
      budget: '≤ 1.2 ×',
      holds: ratio <= 1.2,
    },
  ];
}

async function memory(): Promise<readonly Line[]> {
  const { beyond, jsonBytes } = await memoryFigures();
  return [
    {
      what: 'memory of a cached object beyond its own JSON',
      figure: `${times(beyond)} (of ${jsonBytes.toFixed(0)} bytes)`,
      budget: '≤ 1 ×',
      holds: beyond <= 1,
    },
  ];
}

const troubles = {
  none: '',
  gone: 'after 410',
  tooMany: 'after three seconds of 429',
  halfOpen: 'on a half-open socket, silence allowed 12 s',
  silent: 'after a peer said nothing for 15 s',
} as const;

async function deaf(): Promise<readonly Line[]> {
  return (await deafness()).map(({ trouble, ms, boundMs, ageMs }) => ({
    what: `a deaf watch until its cache is true again ${troubles[trouble]}`,
    figure: `${(ms / 1000).toFixed(1)} s (age on the metric up to ${(ageMs / 1000).toFixed(1)} s)`,
    budget: `≤ ${boundMs / 1000} s`,
    holds: ms <= boundMs,
  }));
}

async function idle(): Promise<readonly Line[]> {
  const { writes, reads, compared, passes } = await idleFigures();
  return [
    {
      what: 'writes in ten idle minutes, the lease aside',
      figure: `${writes.length} in ${passes} passes`,
      budget: '0',
      holds: passes > 0 && writes.length === 0,
    },
    {
      what: 'API reads in the same, but for the list that each cache is compared with',
      figure: `${reads.length} (and ${compared} lists)`,
      budget: '0',
      holds: passes > 0 && reads.length === 0,
    },
  ];
}

async function ownedObjects(): Promise<readonly Line[]> {
  const { owners, objects, writes, reads, passes, msEach, firstMsEach } = await ownedFigures();
  const title = `${owners} owners of ${objects} objects`;
  return [
    {
      what: `${title}: writes in ten idle minutes and in a look at all of them`,
      figure: `${writes.length} in ${passes} passes (and ${reads.length} reads)`,
      budget: '0',
      holds: objects === 6 * owners && passes >= owners && writes.length + reads.length === 0,
    },
    {
      what: `${title}: a look at one of them, and the first of a new leader`,
      figure: `${msEach.toFixed(2)} ms, ${firstMsEach.toFixed(2)} ms`,
      budget: '≤ 2 ms each',
      holds: Math.max(msEach, firstMsEach) <= 2,
    },
  ];
}

async function viewers(): Promise<readonly Line[]> {
  const { medianMs, p99Ms } = await viewersFigures();
  return [
    {
      what: 'from a status write to the event at each of 50 viewers, 1,000 machines: p99',
      figure: `${p99Ms.toFixed(0)} ms (median ${medianMs.toFixed(0)} ms)`,
      budget: '≤ 1000 ms',
      holds: p99Ms <= 1_000,
    },
  ];
}

async function dashboard(): Promise<readonly Line[]> {
  const { firstPaintMs, key, bareKey, rows, painted } = await dashboardFigures();
  return [
    {
      what: 'dashboard, processor slowed four times: first paint of a page',
      figure: `${firstPaintMs.toFixed(0)} ms`,
      budget: '< 600 ms',
      holds: firstPaintMs < 600,
    },
    {
      what: 'the same over 5,000 services: from a key in the filter to the paint (a bare field), the longest, rows',
      figure: `${key.medianMs} ms (${bareKey.medianMs} ms), ${key.longestMs} ms (${bareKey.longestMs} ms), ${rows}`,
      budget: '< 100 ms, < 120 rows',
      holds: key.longestMs < 100 && rows < 120,
    },
    {
      what: 'from a status write to its words on the page, 50 viewers: p99',
      figure: `${painted.p99Ms.toFixed(0)} ms (median ${painted.medianMs.toFixed(0)} ms)`,
      budget: '< 1000 ms',
      holds: painted.p99Ms < 1_000,
    },
  ];
}

async function signIns(): Promise<readonly Line[]> {
  const { overlap, ratio, ...kinds } = await signInFigures();
  const said = Object.entries(kinds).map(
    ([kind, { first, median: middle, third }]) =>
      `${kind} ${first.toFixed(0)}–${middle.toFixed(0)}–${third.toFixed(0)} ms`,
  );
  return [
    {
      what: 'refused sign-ins: the middle halves of their times overlap',
      figure: `${times(ratio)} between medians (${said.join(', ')})`,
      budget: 'overlap',
      holds: overlap,
    },
  ];
}

async function watched(): Promise<readonly Line[]> {
  const { eventsPerSecond, p99Ms } = await fanOut();
  return [
    {
      what: 'embedded API, 100 watchers: events delivered, each heard after at most (p99)',
      figure: `${eventsPerSecond.toFixed(0)}/s, ${p99Ms.toFixed(0)} ms`,
      budget: '≤ 250 ms',
      holds: p99Ms <= 250,
    },
  ];
}

async function lists(): Promise<readonly Line[]> {
  const { jsonMs, tableMs, pagedMs, waitedMs } = await longLists();
  return [
    {
      what: 'embedded API, a list of 20,000: JSON, table, pages of 500, the longest wait of others meanwhile',
      figure: [jsonMs, tableMs, pagedMs, waitedMs].map((ms) => `${ms.toFixed(0)} ms`).join(', '),
      budget: '≤ 2000 ms each',
      holds: Math.max(jsonMs, tableMs, pagedMs, waitedMs) <= 2_000,
    },
  ];
}

async function many(): Promise<readonly Line[]> {
  const { loadMs, parseMs, jsonBytes, beyondBytes } = await manyObjects();
  return [
    {
      what: 'embedded API, start with 100,000 objects, against reading their JSON alone',
      figure: `${loadMs.toFixed(0)} ms (${times(loadMs / parseMs)})`,
      budget: '≤ 5000 ms',
      holds: loadMs <= 5_000,
    },
    {
      what: 'embedded API, memory of an object beyond its own JSON',
      figure: `${beyondBytes.toFixed(0)} bytes (of ${jsonBytes.toFixed(0)})`,
      budget: '≤ 2000 bytes',
      holds: beyondBytes <= 2_000,
    },
  ];
}

async function accounts(): Promise<readonly Line[]> {
  const { adminPerSecond, accountPerSecond } = await accountFigures();
  const ratio = accountPerSecond / adminPerSecond;
  return [
    {
      what: 'embedded API, writes by a service account under RBAC, against the admin’s',
      figure: `${times(ratio)} (${accountPerSecond.toFixed(0)}/s, ${adminPerSecond.toFixed(0)}/s)`,
      budget: '≥ 0.8 ×',
      holds: ratio >= 0.8,
    },
  ];
}

const parts: Readonly<Record<string, () => Promise<readonly Line[]> | AsyncIterable<Line>>> = {
  decision: decisions,
  drain: () => draining(1_000, 3),
  'drain-20000': () => draining(20_000, 1),
  machines: () => machineLines('objects of three machines', { count: 1_000, rounds: 3 }),
  services: () => services(1_000, 3),
  'services-idle': () => servicesAtRest(1_000),
  causes: () => causeLines(1_000),
  'causes-to-ready': () => causesToReadyLines(1_000, 3),
  api: server,
  'api-writes': writeLines,
  'fan-out': watched,
  lists,
  many,
  accounts,
  http: answers,
  'resource-lists': listLines,
  page: pages,
  compressed: compressedLines,
  'first-rows': firstRowsLines,
  ready,
  failover,
  interference: () => interfered('one new build until it runs', newBuilds),
  'services-interference': () => interfered('one new service until it is Ready', newServices),
  databases: databaseLines,
  'databases-interference': () => interfered('one new database until it is applied', newDatabases),
  memory,
  deaf,
  idle,
  fleet: fleetLines,
  owned: ownedObjects,
  backups: () => backups(100_000, 200),
  viewers,
  functions,
  proxied: () => Promise.resolve(proxiedFigures()),
  containers: () => Promise.resolve(containerFigures()),
  dashboard,
  deliveries: () => deliveryLines(500, 3),
  'deliveries-hanging': hangingLines,
  publishing: publishingLines,
  consoles,
  'consoles-idle': consolesAtRest,
  'consoles-stalled': consolesStalled,
  'service-logs': serviceLogs,
  'sign-in': signIns,
  'long-requests': longRequestLines,
  'many-refs': manyRefsLines,
  'beside-streams': besideStreamsLines,
  cli: commandLine,
};
/** Takes minutes; only when asked for by name. */
const long = ['drain-20000'];

const asked = process.argv.slice(2);
const chosen = asked.length > 0 ? asked : Object.keys(parts).filter((name) => !long.includes(name));
for (const name of chosen) {
  const part = parts[name];
  if (!part) throw new Error(`no benchmark "${name}"; there are ${Object.keys(parts).join(', ')}`);
  for await (const { what, figure, budget, holds } of await part())
    process.stdout.write(`${holds ? 'holds ' : 'MISSED'}  ${what}: ${figure}  (budget ${budget})\n`);
}
process.exit(0);

import { setTimeout as pause } from 'node:timers/promises';
import * as fc from 'fast-check';
import { baseRequest, type Described } from './base.ts';
import { anyChange } from './changes.ts';
import { delaysOthersAlways, checkEffects, othersWaitMs } from './effects.ts';
import { type Finding, findingOf } from './finding.ts';
import { faultsOf, statusesOf } from './answerFaults.ts';
import type { Wire } from './request.ts';
import { type Came, sendWire } from './send.ts';
import { startTarget, type Target } from './target.ts';

export interface Outcome {
  /** How often each status was answered, `closed` for connections that were closed without one. */
  readonly counts: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
  /** What the server logged of failures that it did not expect. */
  readonly unexpected: readonly string[];
  readonly heapGrownBytes: number;
}

const atATime = 24;
const batch = 500;
/** Far more than the server's patience: two cores may be busy with other things. */
const hungAfterMs = 120_000;
/** Each takes as long as the server waits. Small and large numbers are drawn more often than those between. */
const heldOneIn = 200;
/** What the runtime itself comes to hold while it gets warm. */
const warmUp = 600;
const probeMs = 20;
const suspectsTried = 60;
const endedWithinMs = 500;

interface Broken {
  readonly wire: Wire;
  readonly changes: readonly string[];
}

const brokenRequest = (base: fc.Arbitrary<Wire>): fc.Arbitrary<Broken> =>
  fc
    .record({
      base,
      changes: fc.array(anyChange, { minLength: 1, maxLength: 2 }),
      held: fc.nat(heldOneIn).map((number) => number === heldOneIn >> 1),
    })
    .map(({ base: whole, changes, held }) => {
      const wire = changes.reduce((changed, { of }) => of(changed), whole);
      return {
        wire: held ? { ...wire, pace: 'held' as const } : wire,
        changes: [...changes.map(({ name }) => name), ...(held ? ['held'] : [])],
      };
    });

interface FuzzOptions {
  readonly runs: number;
  readonly seed: number;
  readonly say?: (line: string) => void;
  /** How many well-formed requests are sent before, each also with something unknown about it. */
  readonly wellFormed?: number;
  /** After how many findings among these no more are sent. */
  readonly enough?: number;
  /** A mistake that is planted in the server. */
  readonly plant?: string;
  /** The one path of the description that is asked. */
  readonly only?: string;
}

/**
 * Sends requests to the HTTP floor, made from its own description: well-formed ones one after another, then malformed
 * ones many at a time. Checks the answers, and what they did to the server, its objects and other callers.
 */
export async function fuzz({ plant, ...asked }: FuzzOptions): Promise<Outcome> {
  const target = await startTarget(plant);
  const outcome = { counts: {}, findings: [], unexpected: [], heapGrownBytes: 0 };
  try {
    const { host, cookie } = target;
    const described = await fetch(`http://${host}/api/v1/openapi.json`, { headers: { cookie } });
    return await fuzzTarget(target, (await described.json()) as Described, asked);
  } catch (error) {
    // What ends the process ends its answers too.
    await pause(endedWithinMs);
    if (target.ended() === null) throw error;
    return { ...outcome, unexpected: [`the process ended with ${target.ended()}: ${target.said().slice(-shown)}`] };
  } finally {
    await target.stop();
  }
}

const pathsOf = (described: Described, only: string | undefined): Described =>
  only === undefined ? described : { ...described, paths: { [only]: described.paths[only] ?? {} } };

/** Well-formed requests are sent one at a time: as many as of malformed ones would take too long. */
const wellFormedOneIn = 10;

async function fuzzTarget(target: Target, all: Described, { only, ...asked }: FuzzOptions) {
  const { runs, seed, enough, say = () => {}, wellFormed = Math.ceil(runs / wellFormedOneIn) } = asked;
  const described = pathsOf(all, only);
  const effects = await checkEffects(target, described, { runs: wellFormed, seed, ...(enough && { enough }) });
  say(`${effects.findings.length} findings among well-formed requests`);
  const malformed = await sendMalformed(target, described, { runs, seed, say });
  const { failed, uncaught } = await target.ask('failures');
  const nobodyCaught = uncaught.request + uncaught.process;
  return {
    ...malformed,
    counts: { ...effects.counts, ...malformed.counts },
    findings: [...effects.findings, ...malformed.findings],
    unexpected: [
      ...malformed.unexpected,
      ...failed,
      ...(nobodyCaught > 0 ? [`${nobodyCaught} errors that nobody caught: ${uncaughtIn(target.said())}`] : []),
    ],
  };
}

const uncaughtIn = (said: string) => said.split('\n').find((line) => line.includes('"uncaught error"')) ?? '';

async function sendMalformed(target: Target, described: Described, { runs, seed, say = () => {} }: FuzzOptions) {
  const request = brokenRequest(baseRequest(described, target));
  const counts: Record<string, number> = {};
  const findings: Finding[] = [];
  const unexpected: string[] = [];
  const underWay = new Set<Broken>();
  const suspects = new Set<Broken>();
  let heapBefore = 0;
  let isOver = false;

  const one = async (broken: Broken) => {
    underWay.add(broken);
    const came = await sendWire(target.port, broken.wire, hungAfterMs);
    underWay.delete(broken);
    for (const status of statusesOf(came)) counts[status] = (counts[status] ?? 0) + 1;
    if (came.ended !== 'answered') counts[came.ended] = (counts[came.ended] ?? 0) + 1;
    const faults = faultsOf(came);
    if (faults.length > 0) findings.push(findingOf(broken, came, faults));
  };

  const waiting: Broken[] = [];
  let drawn = 0;
  const next = async (): Promise<Broken | undefined> => {
    if (waiting.length === 0 && drawn < runs) {
      waiting.push(...fc.sample(request, { numRuns: Math.min(batch, runs - drawn), seed: seed + drawn }));
      drawn += waiting.length;
      await look();
    }
    return waiting.pop();
  };
  const look = async () => {
    unexpected.push(...(await target.ask('failures')).failed);
    if (heapBefore === 0 && drawn > Math.min(warmUp, runs / 2)) heapBefore = await target.ask('heap');
    say(`${drawn} of ${runs} drawn, ${findings.length + unexpected.length} findings`);
  };
  const work = async () => {
    for (let broken = await next(); broken !== undefined; broken = await next()) await one(broken);
  };
  /** Whatever is under way while another caller waits may be the cause. */
  const watch = async () => {
    for (; !isOver; await pause(probeMs))
      if ((await target.waitOfAnother()) > othersWaitMs) for (const broken of underWay) suspects.add(broken);
  };
  const watching = watch();
  // It fails when the process ends, which the others tell.
  watching.catch(() => {});
  await Promise.all(Array.from({ length: atATime }, work)).finally(() => (isOver = true));
  await watching;
  await look();
  for (const broken of [...suspects].filter(({ wire }) => wire.pace === 'whole').slice(0, suspectsTried))
    if (await delaysOthersAlways(target, broken.wire))
      findings.push(findingOf(broken, nothingCame, ['others waited for it']));
  return { counts, findings, unexpected, heapGrownBytes: (await target.ask('heap')) - heapBefore };
}

const nothingCame: Came = { text: '', ended: 'answered' };
const shown = 600;

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { serve, type Served } from '../http/served.ts';
import { baseRequest, type Described } from './base.ts';
import { anyChange } from './changes.ts';
import { faultsOf, statusesOf } from './judge.ts';
import { bytesOf, type Wire } from './request.ts';
import { type Came, sendWire } from './send.ts';

/** One request that came to no good end, as it can be read. */
export interface Finding {
  readonly changes: readonly string[];
  readonly sent: string;
  readonly faults: readonly string[];
  readonly answer: string;
}

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
/** How long the server waits, so that those who hold a request back are cut off soon. */
const patienceMs = { headers: 300, request: 600 };
/** Far more than the server's patience: two cores may be busy with other things. */
const hungAfterMs = 120_000;
/** Each takes as long as the server waits. Small and large numbers are drawn more often than those between. */
const heldOneIn = 200;
/** What the runtime itself comes to hold while it gets warm. */
const warmUp = 600;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
function heapUsed(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

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

/** Sends malformed requests to the HTTP floor, made from its own description, and judges what comes of each. */
export async function fuzz(runs: number, seed: number, say: (line: string) => void = () => {}): Promise<Outcome> {
  const served = await serve({ patienceMs });
  try {
    await served.addApp('shop');
    return await fuzzServed(served, { runs, seed, say });
  } finally {
    await served.stop();
  }
}

interface Asked {
  readonly runs: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

async function fuzzServed(served: Served, { runs, seed, say }: Asked): Promise<Outcome> {
  const described = (await served.ask('/api/v1/openapi.json')).json() as Described;
  const { host, port } = new URL(served.url);
  const cookie = served.cookieOf({ expiresAt: Date.now() + 3_600_000 });
  const request = brokenRequest(baseRequest(described, { host, cookie }));
  const counts: Record<string, number> = {};
  const findings: Finding[] = [];
  const unexpected: string[] = [];
  let heapBefore = 0;

  const one = async ({ wire, changes }: Broken) => {
    const came = await sendWire(Number(port), wire, hungAfterMs);
    for (const status of statusesOf(came)) counts[status] = (counts[status] ?? 0) + 1;
    if (came.ended !== 'answered') counts[came.ended] = (counts[came.ended] ?? 0) + 1;
    const faults = faultsOf(came);
    if (faults.length > 0) findings.push(findingOf({ wire, changes }, came, faults));
  };

  const waiting: Broken[] = [];
  let drawn = 0;
  const next = (): Broken | undefined => {
    if (waiting.length === 0 && drawn < runs) {
      waiting.push(...fc.sample(request, { numRuns: Math.min(batch, runs - drawn), seed: seed + drawn }));
      drawn += waiting.length;
      look();
    }
    return waiting.pop();
  };
  const look = () => {
    const failed = served.lines.filter(({ message }) => message === 'request failed');
    unexpected.push(...failed.map(({ fields }) => JSON.stringify(fields)));
    served.lines.length = 0;
    served.answered.length = 0;
    if (heapBefore === 0 && drawn > Math.min(warmUp, runs / 2)) heapBefore = heapUsed();
    say(`${drawn} of ${runs} drawn, ${findings.length + unexpected.length} findings`);
  };
  const work = async () => {
    for (let broken = next(); broken !== undefined; broken = next()) await one(broken);
  };
  await Promise.all(Array.from({ length: atATime }, work));
  look();
  return { counts, findings, unexpected, heapGrownBytes: heapUsed() - heapBefore };
}

const shown = 600;
const findingOf = ({ wire, changes }: Broken, { text }: Came, faults: readonly string[]): Finding => ({
  changes,
  sent: JSON.stringify(bytesOf(wire).toString('latin1').slice(0, shown)),
  faults,
  answer: JSON.stringify(text.slice(0, shown)),
});

import { Effect } from 'effect';
import { leaseName, leases } from '../../runtime/lead/leaseRecord.ts';
import type { SoakProcesses, OperatorPart } from './processes.ts';
import type { Timeline } from './timeline.ts';

/** Who led, and how long nobody did after a leader was killed. */
export interface Leases {
  readonly leader: () => OperatorPart | null;
  /** Told just before a part is killed. */
  readonly dies: (part: OperatorPart) => void;
  /** From the death of a leader until another process held the lease, in ms. */
  readonly failOverMs: () => readonly number[];
  readonly stop: () => void;
}

const everyMs = 50;

/** Reads the leader's lease past the proxies, over and over. */
export function startLeases({ direct, operators }: SoakProcesses, timeline: Timeline): Leases {
  let holder = '';
  let reading = false;
  let diedAt: number | null = null;
  const took: number[] = [];
  const leader = () => operators.find((one) => holder !== '' && one.identity() === holder) ?? null;

  const read = async () => {
    const lease = await Effect.runPromise(direct.get(leases, { name: leaseName }));
    const next = lease.spec?.holderIdentity ?? '';
    if (next === holder) return;
    holder = next;
    const ms = diedAt === null || next === '' ? null : timeline.elapsed() - diedAt;
    if (ms !== null) took.push(ms);
    if (next !== '') diedAt = null;
    timeline.tell(
      'lease',
      `held by ${next || 'nobody'}${ms === null ? '' : `, ${Math.round(ms)} ms after its holder died`}`,
    );
  };
  const timer = setInterval(() => {
    if (reading) return;
    reading = true;
    void read()
      .catch(() => {})
      .finally(() => {
        reading = false;
      });
  }, everyMs);
  return {
    leader,
    dies: (part) => {
      if (part === leader()) diedAt = timeline.elapsed();
    },
    failOverMs: () => took,
    stop: () => clearInterval(timer),
  };
}

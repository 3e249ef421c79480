import { type DeliveryFigures, deliveryFigures, hangingFigures } from './deliveries.ts';
import { type Line, times } from './line.ts';
import { median } from './measure.ts';
import { changedHost, idlePublishing } from './publishing.ts';

/** Deliveries of webhooks, beside a bare loop and beside receivers that hang. */
export async function deliveryLines(count: number, rounds: number): Promise<readonly Line[]> {
  const measured = [];
  for (let round = 0; round < rounds; round++) measured.push(await deliveryFigures(count));
  const ratio = median(measured.map((one) => one.ratio));
  const rate = median(measured.map(({ perSecond }) => perSecond));
  const processor = median(measured.map(({ cpuRatio }) => cpuRatio));
  const writes = measured.map((one) => one.writes).join(', ');
  return [
    {
      what: `${count} deliveries, against a bare loop eight wide with the same requests and writes`,
      figure: `${times(ratio)} (${rate.toFixed(0)}/s; ${writes} writes; ${measured.map((one) => times(one.ratio)).join(', ')}; ${times(processor)} of its processor time)`,
      budget: '≥ 0.8 ×',
      holds: ratio >= 0.8,
    },
    costOf(measured),
  ];
}

/** 0.7 of what a delivery cost before its Events were collected, on two cores: 8.2 ms and 5.0 requests. */
const deliveryCosts = { cpuMs: 5.7, requests: 3.5 };

function costOf(measured: readonly DeliveryFigures[]): Line {
  const cpuMs = median(measured.map((one) => one.cpuMsEach));
  const requests = median(measured.map((one) => one.requestsEach));
  return {
    what: 'one of them: processor time, requests to the cluster',
    figure: `${cpuMs.toFixed(1)} ms, ${requests.toFixed(1)}`,
    budget: `≤ ${deliveryCosts.cpuMs} ms, ≤ ${deliveryCosts.requests}`,
    holds: cpuMs <= deliveryCosts.cpuMs && requests <= deliveryCosts.requests,
  };
}

export async function hangingLines(): Promise<readonly Line[]> {
  const { ratio, aloneMs, besideMs } = await hangingFigures();
  return [
    {
      what: 'a healthy webhook beside seven hanging, from the event to the request, p99 against alone',
      figure: `${times(ratio)} (${besideMs.toFixed(0)} ms, ${aloneMs.toFixed(0)} ms)`,
      budget: '≤ 1.5 ×',
      holds: ratio <= 1.5,
    },
  ];
}

/** What publishing costs at the DNS provider. */
export async function publishingLines(): Promise<readonly Line[]> {
  const calls = await changedHost(500);
  const routes = calls.filter((call) => call.startsWith('publish')).length;
  const { writes, changes, reads } = await idlePublishing(200);
  return [
    {
      what: 'one changed host of 500: calls for routes and for records',
      figure: `${routes} and ${calls.length - routes}`,
      budget: '1 and 1',
      holds: routes === 1 && calls.length === 2,
    },
    {
      what: '200 hosts, ten idle minutes: writes and changing calls',
      figure: `${writes} and ${changes} (and ${reads} reads)`,
      budget: '0 and 0',
      holds: writes + changes === 0,
    },
  ];
}

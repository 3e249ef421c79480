import { get } from 'node:https';
import * as assert from 'uvu/assert';
import { textAt } from '../../../runtime/embedded/api/json.ts';
import { linesFrom } from '../../../runtime/embedded/api/podLogs.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { type Started, inSystem, merge, started } from './started.ts';

interface World {
  readonly api: Started;
  readonly log: Log;
}

/** A log that is written by hand. */
interface Log {
  readonly lines: { text: string; at: number }[];
  readonly stopped: { count: number };
}

const spec = suite<World>('refused streams and followed logs');
const pods = `${inSystem}/pods`;

spec.before(async (context) => {
  const log: Log = { lines: [], stopped: { count: 0 } };
  const api = await started({
    podLogs: {
      read: (_, __, { sinceMs = 0 }) => log.lines.flatMap(({ text, at }) => (at < sinceMs ? [] : `${text}\n`)).join(''),
      follow(_, __, onLine, start = {}) {
        for (const { text, at } of linesFrom(log.lines, start)) void onLine(text, at);
        return { stop: () => (log.stopped.count += 1), ended: new Promise(() => {}) };
      },
    },
    podProcesses: {
      exec: () => Promise.resolve({ is: 'exited', code: 0 }),
      attach: () => Promise.resolve({ is: 'exited', code: 0 }),
    },
  });
  Object.assign(context, { api, log });
  for (const [name, spec] of [
    ['homeless', {}],
    ['placed', { nodeName: 'somewhere' }],
  ] as const) {
    const body = { metadata: { name }, spec: { containers: [{ name: 'web', image: 'web:1' }], ...spec } };
    assert.is((await api.send('POST', pods, { body })).code, 201);
  }
});
spec.after(({ api }) => api.end());

const refusal = async ({ api }: World, path: string, headers: Record<string, string> = {}) => {
  const { code, body } = await api.send('POST', `${pods}/${path}`, { headers });
  return `${code} ${textAt(body, 'message')}`;
};

spec('a pod without a node, a container that does not run, and a SPDY client get different errors', async (world) => {
  for (const asked of ['exec?command=ls&stdout=true', 'attach?stdout=true']) {
    assert.is(await refusal(world, `homeless/${asked}`), '400 pod homeless does not have a host assigned');
    assert.is(await refusal(world, `placed/${asked}`), '500 container not found ("web")');
  }
  const containerStatuses = [{ name: 'web', state: { running: { startedAt: '2026-01-01T00:00:00Z' } } }];
  const body = { status: { containerStatuses } };
  await world.api.send('PATCH', `${pods}/placed/status`, { body, type: merge });
  const asked = 'placed/exec?command=ls&stdout=true';
  assert.is(await refusal(world, asked), '400 Upgrade request required');
  const spdy = { Connection: 'Upgrade', Upgrade: 'SPDY/3.1', 'X-Stream-Protocol-Version': 'v4.channel.k8s.io' };
  assert.is(
    await refusal(world, asked, spdy),
    '501 streaming by SPDY/3.1 is not served here, only by WebSocket with v5.channel.k8s.io or v4.channel.k8s.io',
  );
});

/** What a follower was sent so far, and whether that was all. */
function following({ api }: World, query: string) {
  const seen = { text: '', ended: false };
  const headers = { Authorization: `Bearer ${api.token}` };
  const sent = get(`${api.url}${pods}/placed/log?follow=true${query}`, { ca: api.caPem, headers, agent: false });
  sent.on('error', () => {});
  sent.once('response', (response) => {
    response.on('error', () => {});
    response.on('data', (chunk: Buffer) => (seen.text += chunk.toString()));
    response.once('end', () => (seen.ended = true));
  });
  return { seen, leave: () => sent.destroy() };
}

spec(
  'a log is followed from a time on, up to a number of bytes, and only while its reader is connected',
  async (world) => {
    const { lines, stopped } = world.log;
    lines.push({ text: 'old', at: Date.parse('2026-01-01T00:00:00Z') }, { text: 'new', at: Date.parse('2026-03-01') });
    const recent = following(world, '&sinceTime=2026-02-01T00:00:00Z');
    await until(() => recent.seen.text.includes('new'), 'what is new', 20_000);
    assert.equal(recent.seen, { text: 'new\n', ended: false });
    const short = following(world, '&limitBytes=6');
    await until(() => short.seen.text.length >= 6, 'as much as was asked for', 20_000);
    await until(() => short.seen.ended, 'the end', 20_000).catch(() => {});
    assert.equal(short.seen, { text: 'old\nne', ended: true });
    await until(() => stopped.count === 1, 'nobody follows for it', 20_000).catch(() => {});
    recent.leave();
    await until(() => stopped.count === 2, 'nor for whoever went', 20_000).catch(() => {});
    assert.is(stopped.count, 2);
  },
);

spec.run();

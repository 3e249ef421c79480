import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { writesSince } from './audit.ts';
import { outageIn } from './outage.ts';
import { runSteps, summaryOf } from './runner.ts';
import type { Step } from './step.ts';

const spec = suite('scenarios on a real cluster');

const step = (title: string, more: Partial<Step> = {}): Step => ({
  scenario: 'install',
  title,
  run: async () => 'seen',
  ...more,
});

spec('a failed step skips the steps that depend on it, and the others run', async () => {
  const printed: string[] = [];
  const fails = step('fails', { run: () => Promise.reject(new Error('it broke')) });
  const steps = [
    fails,
    step('follows', { after: ['fails'] }),
    step('other'),
    step('lacks', { lacks: () => 'no root' }),
  ];
  const outcomes = await runSteps(steps, { endsAt: Infinity, print: (line) => void printed.push(line) });
  assert.is(summaryOf(outcomes), '1 passed, 1 failed, 2 skipped');
  assert.match(printed[0] ?? '', /^failed +install +\d+\.\d s {2}fails: it broke$/);
  assert.match(printed[1] ?? '', 'follows: "fails" did not pass');
  assert.match(printed[3] ?? '', 'lacks: no root');
});

spec('no step starts after the deadline, and a running one fails', async () => {
  let begun = 0;
  const never = step('never', { run: () => new Promise<string>(() => void (begun += 1)) });
  const outcomes = await runSteps([never, never], { endsAt: Date.now() + 20, print: () => {} });
  assert.is(summaryOf(outcomes), '0 passed, 2 failed');
  assert.is(begun, 1);
});

spec('the audit log lists every write since a time except those of the lease', () => {
  const dir = mkdtempSync(join(tmpdir(), 'core-audit-'));
  const log = join(dir, 'audit.log');
  const entry = (verb: string, requestURI: string) =>
    `${JSON.stringify({ verb, requestURI, requestReceivedTimestamp: '2026-03-02T09:30:00.000000Z', responseStatus: { code: 200 } })}\n`;
  const before = entry('delete', '/api/v1/namespaces/shop-live/secrets/a');
  const lease = entry('patch', '/apis/coordination.k8s.io/v1/namespaces/core-system/leases/core-operator');
  writeFileSync(
    log,
    `${before}${lease}${entry('patch', '/api/v1/namespaces/shop-live/secrets/b?fieldManager=core')}{"verb":`,
  );
  assert.equal(writesSince(log, before.length), ['09:30:00 patch /api/v1/namespaces/shop-live/secrets/b 200']);
  assert.is(writesSince(log, 0).length, 2);
  rmSync(dir, { recursive: true });
});

spec('an outage lasts from the first loss to the last return', () => {
  const lines = ['ok', 'no', 'ok', 'no', 'no', 'ok', 'ok'].map((text, at) => ({ at, text }));
  const isUp = (text: string) => text === 'ok';
  assert.equal(outageIn(lines, isUp, 0), { lostAt: 1, backAt: 5, ms: 4 });
  assert.is(outageIn(lines, isUp, 5).ms, 0);
  assert.is(outageIn(lines.slice(0, 5), isUp, 0).ms, Infinity);
});

spec.run();

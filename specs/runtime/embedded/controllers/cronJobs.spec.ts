import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { parseSchedule } from '../../../../runtime/embedded/api/kinds/cronSchedule.ts';
import { latestTime, missedTimes, nextTime, zonedTime } from '../../../../runtime/embedded/controllers/cronTimes.ts';
import type { CronJob } from '../../../../runtime/embedded/controllers/shapes.ts';
import type { Job } from '../../../../runtime/embedded/nodes/shapes.ts';
import { suite } from '../../../support/suite.ts';
import { type Controlled, condition, controlled } from './world.ts';

const crons = suite('CronJobs');
const utc = 'UTC';

function next(text: string, after: string, zone = utc): string {
  const schedule = parseSchedule(text);
  assert.is.not(schedule.is, 'wrong', text);
  const time = schedule.is === 'wrong' ? Number.NaN : nextTime(schedule, zone, Date.parse(after));
  return Number.isFinite(time) ? new Date(time).toISOString().replace(':00.000Z', 'Z') : 'never';
}

const table: readonly (readonly [string, string, string, string?])[] = [
  ['* * * * *', '2030-01-01T00:00Z', '2030-01-01T00:01Z'],
  ['*/15 * * * *', '2030-01-01T00:15Z', '2030-01-01T00:30Z'],
  ['5/20 3 * * *', '2030-01-01T03:25Z', '2030-01-01T03:45Z'],
  ['0 9-17/4 * * mon-fri', '2030-01-05T00:00Z', '2030-01-07T09:00Z'],
  ['0 0 13 * FRI', '2030-01-01T00:00Z', '2030-01-04T00:00Z'],
  ['0 0 29 feb *', '2030-01-01T00:00Z', '2032-02-29T00:00Z'],
  ['0 0 31 2 *', '2030-01-01T00:00Z', 'never'],
  ['@hourly', '2030-01-01T00:30Z', '2030-01-01T01:00Z'],
  ['@weekly', '2030-01-01T00:00Z', '2030-01-06T00:00Z'],
  ['@every 90m', '2030-01-01T00:00Z', '2030-01-01T01:30Z'],
  ['30 2 * * *', '2030-03-30T12:00Z', '2030-04-01T00:30Z', 'Europe/Berlin'],
  ['30 3 * * *', '2030-03-30T12:00Z', '2030-03-31T01:30Z', 'Europe/Berlin'],
  ['0 8 * * *', '2030-07-01T00:00Z', '2030-07-01T12:00Z', 'America/New_York'],
];

crons('the next time of a schedule is computed in its time zone', () => {
  for (const [schedule, after, due, zone] of table) assert.is(next(schedule, after, zone), due, `${schedule} ${zone}`);
});

crons('an invalid schedule is refused with its reason', () => {
  const why = (text: string) => {
    const read = parseSchedule(text);
    return read.is === 'wrong' ? read.why : '';
  };
  assert.is(why('* * *'), 'expected exactly 5 fields, found 3: [* * *]');
  assert.is(why('60 * * * *'), 'end of range (60) above maximum (59): 60');
  assert.is(why('* * 0 * *'), 'beginning of range (0) below minimum (1): 0');
  assert.is(why('5-1 * * * *'), 'beginning of range (5) beyond end of range (1): 5-1');
  assert.is(why('@sometimes'), 'unrecognized descriptor: @sometimes');
  assert.is(why('@every soon'), 'failed to parse duration @every soon: time: invalid duration "soon"');
  assert.match(why('x * * * *'), /failed to parse int from x/);
});

const list = (from: number, to: number) =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant('*') },
    { weight: 2, arbitrary: fc.integer({ min: from, max: to }).map(String) },
    { weight: 1, arbitrary: fc.integer({ min: 2, max: 9 }).map((step) => `*/${step}`) },
  );
const fields = fc.tuple(list(0, 59), list(0, 23), list(1, 28), list(1, 12), list(0, 6));

crons('the next time of a schedule is the first minute that every field allows', () => {
  fc.assert(
    fc.property(fields, fc.integer({ min: 0, max: 500_000 }), (parts, minute) => {
      const after = Date.UTC(2030, 0, 1) + minute * 60_000;
      const schedule = parseSchedule(parts.join(' '));
      if (schedule.is !== 'fields') throw new Error('not read');
      const time = nextTime(schedule, utc, after);
      const holds = (at: number) => {
        const date = new Date(at);
        const values = [
          date.getUTCMinutes(),
          date.getUTCHours(),
          date.getUTCDate(),
          date.getUTCMonth() + 1,
          date.getUTCDay(),
        ];
        const [m, h, day, month, weekday] = parts.map((part, index) =>
          allows(part, values[index] ?? 0, index === 2 || index === 3 ? 1 : 0),
        );
        const either = parts[2] !== '*' && parts[4] !== '*';
        return m && h && month && (either ? day || weekday : day && weekday);
      };
      assert.ok(time > after && holds(time), `${parts.join(' ')} at ${new Date(time).toISOString()}`);
      const looked = Math.min(time, after + 3 * 86_400_000);
      for (let at = after + 60_000; at < looked; at += 60_000)
        assert.not.ok(holds(at), 'an earlier minute is left out');
      assert.is(latestTime(schedule, utc, after, time), time);
      assert.is(latestTime(schedule, utc, after, time - 1), null);
    }),
    { numRuns: 60 },
  );
});

function allows(part: string, value: number, first: number): boolean {
  if (part === '*') return true;
  return part.startsWith('*/') ? (value - first) % Number(part.slice(2)) === 0 : value === Number(part);
}

const cronJob = (world: Controlled, spec: object = {}) =>
  world.create('batch/cronjobs', 'hi', {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    spec: {
      schedule: '* * * * *',
      jobTemplate: {
        spec: {
          backoffLimit: 0,
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }] } },
        },
      },
      ...spec,
    },
  });
const jobs = (world: Controlled) => world.listed('batch/jobs') as readonly Job[];
const status = (world: Controlled) => (world.get('batch/cronjobs', 'hi') as CronJob | undefined)?.status;

crons('a CronJob creates a Job a minute, named after the minute, and keeps three', async () => {
  const world = await controlled();
  await cronJob(world);
  await world.clock.turn(60);
  const minute = Date.parse('2030-01-01T00:01:00Z') / 60_000;
  assert.equal(
    jobs(world).map(({ metadata }) => metadata.name),
    [`hi-${minute}`],
  );
  assert.is(status(world)?.active?.length, 1);
  assert.is(status(world)?.lastScheduleTime, '2030-01-01T00:01:00Z');
  await world.clock.turn(601);
  assert.is(jobs(world).length, 3);
  assert.is(status(world)?.active, undefined);
  assert.is(status(world)?.lastSuccessfulTime, '2030-01-01T00:11:01Z');
  await world.end();
});

crons('Forbid skips a Job, Replace ends the running one, and Allow runs them together', async () => {
  for (const [concurrencyPolicy, count] of [
    ['Forbid', 1],
    ['Replace', 1],
    ['Allow', 5],
  ] as const) {
    const world = await controlled({ pods: '[{ match: {}, hang: true }]' });
    await cronJob(world, { concurrencyPolicy });
    await world.clock.turn(301);
    assert.is(jobs(world).length, count, concurrencyPolicy);
    const [name = ''] = jobs(world).map(({ metadata }) => metadata.name);
    const first = Date.parse('2030-01-01T00:01:00Z') / 60_000;
    assert.is(name, `hi-${concurrencyPolicy === 'Replace' ? first + 4 : first}`);
    await world.end();
  }
});

crons('a suspended CronJob creates no Job, and later only for the last missed time within its deadline', async () => {
  const world = await controlled();
  await cronJob(world, { suspend: true, schedule: '0 * * * *', startingDeadlineSeconds: 600 });
  await world.clock.turn(3 * 3_600 + 300);
  assert.is(jobs(world).length, 0);
  await world.update('batch/cronjobs', 'hi', ({ spec }) => ({ spec: { ...(spec as object), suspend: false } }));
  await world.clock.turn(60);
  assert.is(jobs(world).length, 1);
  assert.is(status(world)?.lastScheduleTime, '2030-01-01T03:00:00Z');
  await world.end();
});

crons('failed Jobs have a separate history', async () => {
  const world = await controlled({ pods: '[{ match: {}, exitCode: 1 }]' });
  await cronJob(world);
  await world.clock.turn(301);
  await world.clock.turn(30);
  assert.equal(
    jobs(world).map((job) => condition(job, 'Failed')?.status),
    ['True'],
  );
  await world.end();
});

crons('a Job records its scheduled time in the time zone of the CronJob', async () => {
  const winter = Date.parse('2030-01-01T00:01:00Z');
  const summer = Date.parse('2030-07-01T12:00:00Z');
  assert.is(zonedTime(winter), '2030-01-01T00:01:00Z');
  assert.is(zonedTime(winter, 'Europe/London'), '2030-01-01T00:01:00Z');
  assert.is(zonedTime(summer, 'America/New_York'), '2030-07-01T08:00:00-04:00');
  assert.is(zonedTime(summer, 'Asia/Kolkata'), '2030-07-01T17:30:00+05:30');
  const world = await controlled();
  await cronJob(world, { timeZone: 'Europe/Berlin' });
  await world.clock.turn(60);
  assert.equal(
    jobs(world).map(({ metadata }) => metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp']),
    ['2030-01-01T01:01:00+01:00'],
  );
  await world.end();
});

crons('more than a hundred missed times are reported, and the last of them counts', async () => {
  const everyMinute = parseSchedule('* * * * *');
  if (everyMinute.is === 'wrong') throw new Error('not read');
  const start = Date.parse('2030-01-01T00:00Z');
  for (const minutes of [0, 1, 2, 100, 101])
    assert.is(missedTimes(everyMinute, utc, start, start + minutes * 60_000), minutes);
  for (const [minutes, isTold] of [
    [90, false],
    [150, true],
  ] as const) {
    const world = await controlled();
    await cronJob(world, { suspend: true });
    await world.clock.turn(minutes * 60);
    await world.update('batch/cronjobs', 'hi', ({ spec }) => ({ spec: { ...(spec as object), suspend: false } }));
    await world.clock.turn(1);
    assert.is(jobs(world).length, 1);
    assert.is(
      world.listed('/events').some(({ reason }) => reason === 'TooManyMissedTimes'),
      isTold,
      String(minutes),
    );
    await world.end();
  }
});

crons.run();

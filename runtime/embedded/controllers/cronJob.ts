import { randomUUID } from 'node:crypto';
import { builtInRules } from '../api/kinds/builtInRules.ts';
import { type CronSchedule, isTimeZone, parseSchedule } from '../api/kinds/cronSchedule.ts';
import { stamp } from '../nodes/clock.ts';
import { type Job, bucket, controllerOf, finish, keyOf, placeAt, placeOf } from '../nodes/shapes.ts';
import type { Change } from '../store.ts';
import { controlledBy } from './adopt.ts';
import { type Controller, type World, ownerKey, stays } from './controller.ts';
import { latestTime, missedTimes, nextTime, zonedTime } from './cronTimes.ts';
import { type CronJob, type CronJobStatus, shelves } from './shapes.ts';
import { writeStatus } from './status.ts';

const component = 'cronjob-controller';
const where = shelves.cronJobs;
/** The number of missed times above which an event is recorded. */
const mostMissed = 100;
const tooManyMissed = 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
const scheduledAt = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

/** Makes the Jobs of each CronJob when they are due, and removes those that its history does not keep. */
export function createCronJobController({ store, clock, events }: World): Controller {
  const record = (cron: CronJob, type: 'Normal' | 'Warning', reason: string, message: string) =>
    events.record(component, cron, { type, reason, message });

  async function reconcile(key: string): Promise<number | null> {
    const found = store.get(placeAt(where, key)) as CronJob | undefined;
    if (!found || found.metadata.deletionTimestamp !== undefined) return null;
    const jobs = (store.list(bucket.jobs, found.metadata.namespace) as readonly Job[]).filter(
      (job) => controllerOf(job)?.uid === found.metadata.uid,
    );
    const cron = await write(found, followed(found, jobs));
    await forget(cron, jobs);
    const schedule = scheduleOf(cron);
    if (!schedule || cron.spec?.suspend === true) return null;
    return startDue(cron, schedule, jobs);
  }

  /** The status without the Jobs that came to their end. */
  function followed(cron: CronJob, jobs: readonly Job[]): CronJobStatus {
    const { active = [], ...status } = cron.status ?? {};
    let { lastSuccessfulTime } = status;
    const left = active.filter(({ uid, name }) => {
      const job = jobs.find((one) => one.metadata.uid === uid);
      const end = job && finish(job);
      if (!job) record(cron, 'Normal', 'MissingJob', `Active job went missing: ${name}`);
      else if (end) record(cron, 'Normal', 'SawCompletedJob', `Saw completed job: ${name}, condition: ${end.type}`);
      const completed = end?.type === 'Complete' ? job?.status?.completionTime : undefined;
      if (completed !== undefined && !(lastSuccessfulTime !== undefined && lastSuccessfulTime > completed))
        lastSuccessfulTime = completed;
      return job !== undefined && end === undefined;
    });
    return {
      ...status,
      ...(left.length > 0 && { active: left }),
      ...(lastSuccessfulTime !== undefined && { lastSuccessfulTime }),
    };
  }

  /** Removes the oldest Jobs that came to their end and are more than the history keeps. */
  async function forget(cron: CronJob, jobs: readonly Job[]) {
    const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = cron.spec ?? {};
    const limits = { Complete: successfulJobsHistoryLimit, Failed: failedJobsHistoryLimit };
    for (const [type, limit] of Object.entries(limits)) {
      const ended = jobs.filter((job) => finish(job)?.type === type).sort((a, b) => startOf(a) - startOf(b));
      for (const job of ended.slice(0, Math.max(0, ended.length - limit))) await remove(cron, job);
    }
  }

  async function remove(cron: CronJob, job: Job) {
    if (store.get(placeOf(bucket.jobs, job))?.metadata.uid !== job.metadata.uid) return;
    await store.remove(placeOf(bucket.jobs, job), { uid: job.metadata.uid });
    record(cron, 'Normal', 'SuccessfulDelete', `Deleted job ${job.metadata.name}`);
  }

  function scheduleOf(cron: CronJob): CronSchedule | null {
    const { schedule = '', timeZone } = cron.spec ?? {};
    const read = parseSchedule(schedule);
    if (timeZone !== undefined && !isTimeZone(timeZone)) {
      record(cron, 'Warning', 'UnknownTimeZone', `invalid timeZone: "${timeZone}": unknown time zone ${timeZone}`);
      return null;
    }
    if (read.is !== 'wrong') return read;
    record(cron, 'Warning', 'UnparseableSchedule', `unparseable schedule: "${schedule}" : ${read.why}`);
    return null;
  }

  async function startDue(cron: CronJob, schedule: CronSchedule, jobs: readonly Job[]): Promise<number | null> {
    const { timeZone = 'UTC', startingDeadlineSeconds } = cron.spec ?? {};
    const now = clock.now();
    const last = Date.parse(cron.status?.lastScheduleTime ?? cron.metadata.creationTimestamp);
    const deadline = startingDeadlineSeconds === undefined ? 0 : now - startingDeadlineSeconds * 1000;
    const due = latestTime(schedule, timeZone, Math.max(last, deadline), now);
    if (due !== null) {
      const missed = missedTimes(schedule, timeZone, Math.max(last, deadline), now);
      if (missed > mostMissed) record(cron, 'Warning', 'TooManyMissedTimes', tooManyMissed);
      await start(cron, due, jobs);
    }
    const next = nextTime(schedule, timeZone, schedule.is === 'every' ? (due ?? last) : now);
    return Number.isFinite(next) ? next : null;
  }

  async function start(cron: CronJob, due: number, jobs: readonly Job[]) {
    const active = jobs.filter((job) => cron.status?.active?.some(({ uid }) => uid === job.metadata.uid));
    const name = `${cron.metadata.name}-${Math.floor(due / 60_000)}`;
    if (active.some((job) => job.metadata.name === name)) return;
    const { concurrencyPolicy } = cron.spec ?? {};
    if (concurrencyPolicy === 'Forbid' && active.length > 0) {
      const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
      return record(cron, 'Normal', 'JobAlreadyActive', message);
    }
    const replaced = concurrencyPolicy === 'Replace' ? active : [];
    for (const job of replaced) await remove(cron, job);
    await create(cron, name, due, replaced);
  }

  async function create(cron: CronJob, name: string, due: number, replaced: readonly Job[]) {
    if (!stays(store, where, cron)) return;
    const place = { bucket: bucket.jobs, namespace: cron.metadata.namespace ?? '', name };
    if (store.get(place)) return void (await write(cron, { ...cron.status, lastScheduleTime: stamp(due) }));
    const job = await store.create(place, jobOf(cron, name, due));
    record(cron, 'Normal', 'SuccessfulCreate', `Created job ${name}`);
    const { namespace, uid, resourceVersion } = job.metadata;
    const reference = { kind: 'Job', namespace, name, uid, apiVersion: 'batch/v1', resourceVersion } as const;
    const kept = (cron.status?.active ?? []).filter((one) => !replaced.some((job) => job.metadata.uid === one.uid));
    await write(cron, { ...cron.status, active: [...kept, reference], lastScheduleTime: stamp(due) } as CronJobStatus);
  }

  const write = (cron: CronJob, status: CronJobStatus) => writeStatus(store, where, cron, status);

  function concerns({ bucket: changed, object }: Change): readonly string[] {
    if (changed === where) return [keyOf(object)];
    return changed === bucket.jobs ? ownerKey(object, 'CronJob') : [];
  }

  return { name: component, concerns, reconcile };
}

const startOf = ({ status, metadata }: Job) => Date.parse(status?.startTime ?? metadata.creationTimestamp);

/** The Job of one time, with what the API fills in. */
function jobOf(cron: CronJob, name: string, due: number): object {
  const { metadata = {}, spec = {} } = cron.spec?.jobTemplate ?? {};
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace: cron.metadata.namespace,
      uid: randomUUID(),
      ...(metadata.labels && { labels: metadata.labels }),
      annotations: { ...metadata.annotations, [scheduledAt]: zonedTime(due, cron.spec?.timeZone) },
      ownerReferences: [controlledBy({ ...cron, apiVersion: 'batch/v1', kind: 'CronJob' })],
    },
    spec,
  };
  return builtInRules('Job')?.fill?.(job) ?? job;
}

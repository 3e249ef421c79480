import type { CoreApp } from '../../crds/coreApp.ts';
import { nextTime } from '../../rules/function/cron.ts';
import { cronJobName } from '../../rules/function/names.ts';
import { namespaceOf } from '../../rules/project/environment.ts';
import { isoTime } from '../../rules/time.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';
import { runningApp } from '../../rules/service/deployed.ts';
import { owned } from '../../runtime/owned/owned.ts';
import type { Trigger } from '../routes/functions/shapes.ts';

type Schedule = Pick<Trigger, 'name' | 'cron'>;

export const schedulesIn = ({ spec }: Pick<CoreApp, 'spec'>): readonly Schedule[] =>
  spec.source.function?.schedules ?? [];

function lastAt(app: CoreApp, { name }: Schedule, reader: CacheReader): string | null {
  const { project, environment } = app.spec;
  const cronJob = cronJobName(app.metadata.name, name);
  const found = reader.get(owned.cronJobs, cronJob, namespaceOf(project, environment));
  return found?.status?.lastScheduleTime ?? null;
}

/** The schedules of a function as they are saved; one that waits for a deploy is due at no time. */
export function triggersOf(app: CoreApp, reader: CacheReader, now: number): readonly Trigger[] {
  const running = runningApp(app);
  const deployed = running ? schedulesIn(running) : [];
  return schedulesIn(app).map((schedule) => {
    const { name, cron } = schedule;
    const isDeployed = deployed.some((one) => one.name === name && one.cron === cron);
    const next = isDeployed ? nextTime(cron, now) : null;
    return { name, cron, lastAt: lastAt(app, schedule, reader), nextAt: next === null ? null : isoTime(next) };
  });
}

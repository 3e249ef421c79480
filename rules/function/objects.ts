import { label } from '../../crds/names.ts';
import { podAnnotations, podPlacement } from '../placement.ts';
import type { Part, ServiceObject } from '../service/part.ts';
import { addressOf } from './address.ts';
import { callerOf } from './container.ts';
import { cronJobName, functionConfigName, triggerSecretName, triggerToken } from './names.ts';
import { runtimes } from './runtimes.ts';
import { isTriggered } from './triggered.ts';

/** The longest duration of one scheduled call. */
const callSeconds = 900;

/** The objects that the pods of a function read: its code and runner, and the token of scheduled calls. */
export function functionParts(part: Part): readonly ServiceObject[] {
  return [...config(part), ...token(part)];
}

function config({ app, spec, settled, metadata }: Part): readonly ServiceObject[] {
  const { function: source } = spec.source;
  if (!source || !settled.function) return [];
  const { code, mode = 'http', handler = '' } = source;
  const file = runtimes[source.runtime].code;
  const data = {
    ...settled.function.files,
    'function.json': JSON.stringify({ mode, handler, code: file }),
    [file]: code,
  };
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...metadata, name: functionConfigName(app.metadata.name) },
      data,
    },
  ];
}

function token({ app, spec, settled, metadata }: Part): readonly ServiceObject[] {
  if (!isTriggered(spec)) return [];
  const known = settled.function?.token ?? null;
  return [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { ...metadata, name: triggerSecretName(app.metadata.name) },
      ...(known === null ? {} : { data: { [triggerToken]: Buffer.from(known).toString('base64') } }),
    },
  ];
}

/** A CronJob for each schedule of a function. */
export const schedulesOf = (part: Part): readonly ServiceObject[] =>
  (part.spec.source.function?.schedules ?? []).map(({ name, cron }) => cronJob(part, name, cron));

function cronJob({ app, spec, settled, metadata }: Part, trigger: string, schedule: string): ServiceObject {
  const { name } = app.metadata;
  const url = addressOf(name, spec, settled.wake.led);
  // The labels of the service would make its Service send requests to these pods.
  const labels = { [label.app]: name, [label.project]: spec.project, [label.environment]: spec.environment };
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { ...metadata, name: cronJobName(name, trigger) },
    spec: {
      schedule,
      timeZone: 'UTC',
      concurrencyPolicy: 'Forbid',
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 1,
      jobTemplate: {
        metadata: { labels },
        spec: {
          backoffLimit: 0,
          activeDeadlineSeconds: callSeconds,
          template: {
            metadata: { labels, annotations: podAnnotations(settled.placement.tags) },
            spec: {
              ...podPlacement(settled.placement),
              automountServiceAccountToken: false,
              enableServiceLinks: false,
              ...callerOf(name, { spec, trigger, url }),
            },
          },
        },
      },
    },
  };
}

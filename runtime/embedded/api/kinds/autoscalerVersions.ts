import type { Stored } from '../../store.ts';
import { type Json, at, isJson, jsonAt, listAt, textAt, without } from '../json.ts';

const kept = 'autoscaling.alpha.kubernetes.io';
const metricsKey = `${kept}/metrics`;
const behaviorKey = `${kept}/behavior`;
const currentKey = `${kept}/current-metrics`;
const conditionsKey = `${kept}/conditions`;

const isOfCpu = (metric: unknown) =>
  textAt(metric, 'type') === 'Resource' && textAt(metric, 'resource', 'name') === 'cpu';
const cpuTarget = (metric: unknown) =>
  isOfCpu(metric) ? at(metric, 'resource', 'target', 'averageUtilization') : undefined;
const cpuNow = (metric: unknown) =>
  isOfCpu(metric) ? at(metric, 'resource', 'current', 'averageUtilization') : undefined;

/** The first metric that a single number can express, and the others. */
function split(metrics: readonly unknown[], numberOf: (metric: unknown) => unknown) {
  const index = metrics.findIndex((metric) => numberOf(metric) !== undefined);
  return { number: index < 0 ? undefined : numberOf(metrics[index]), others: metrics.filter((_, at) => at !== index) };
}

/** What version 1 has no field for stands in annotations. */
const annotation = (key: string, value: unknown): Json =>
  value === undefined || (Array.isArray(value) && value.length === 0) ? {} : { [key]: JSON.stringify(value) };

/** An autoscaler of version 2 as version 1 shows it. */
export function autoscalerV1(object: Stored): Stored {
  const { spec, status } = object;
  const target = split(listAt(spec, 'metrics'), cpuTarget);
  const now = split(listAt(status, 'currentMetrics'), cpuNow);
  const annotations = {
    ...object.metadata.annotations,
    ...annotation(metricsKey, target.others),
    ...annotation(behaviorKey, at(spec, 'behavior')),
    ...annotation(currentKey, now.others),
    ...annotation(conditionsKey, at(status, 'conditions')),
  };
  return {
    ...object,
    apiVersion: 'autoscaling/v1',
    metadata: { ...object.metadata, ...(Object.keys(annotations).length > 0 && { annotations }) },
    spec: {
      ...without(jsonAt(object, 'spec'), 'metrics', 'behavior'),
      ...(target.number !== undefined && { targetCPUUtilizationPercentage: target.number }),
    },
    ...(isJson(status) && {
      status: {
        currentReplicas: 0,
        ...without(status, 'currentMetrics', 'conditions'),
        ...(now.number !== undefined && { currentCPUUtilizationPercentage: now.number }),
      },
    }),
  } as Stored;
}

function parsed(annotations: Json, key: string): unknown {
  try {
    return JSON.parse(textAt(annotations, key)) as unknown;
  } catch {
    return undefined;
  }
}

const cpuMetric = (utilization: unknown, field: 'target' | 'current') => ({
  type: 'Resource',
  resource: {
    name: 'cpu',
    [field]: { ...(field === 'target' && { type: 'Utilization' }), averageUtilization: utilization },
  },
});

function metricsOf(given: unknown, utilization: unknown, field: 'target' | 'current'): readonly unknown[] {
  const others: readonly unknown[] = Array.isArray(given) ? given : [];
  return utilization === undefined || utilization === null ? others : [cpuMetric(utilization, field), ...others];
}

const filled = (name: string, list: readonly unknown[]): Json => (list.length === 0 ? {} : { [name]: list });

/** What a client sent as version 1, in version 2. */
export function autoscalerV2(object: Json): Json {
  const metadata = jsonAt(object, 'metadata');
  const given = jsonAt(metadata, 'annotations');
  const annotations = without(given, metricsKey, behaviorKey, currentKey, conditionsKey);
  const behavior = parsed(given, behaviorKey);
  const conditions = parsed(given, conditionsKey);
  const { targetCPUUtilizationPercentage: target, ...spec } = jsonAt(object, 'spec');
  const { currentCPUUtilizationPercentage: current, ...status } = jsonAt(object, 'status');
  return {
    ...object,
    apiVersion: 'autoscaling/v2',
    metadata: { ...without(metadata, 'annotations'), ...(Object.keys(annotations).length > 0 && { annotations }) },
    spec: {
      ...spec,
      ...filled('metrics', metricsOf(parsed(given, metricsKey), target, 'target')),
      ...(isJson(behavior) && { behavior }),
    },
    ...(isJson(object['status']) && {
      status: {
        ...status,
        ...filled('currentMetrics', metricsOf(parsed(given, currentKey), current, 'current')),
        ...(Array.isArray(conditions) && { conditions }),
      },
    }),
  };
}

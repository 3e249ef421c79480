import { isAutoscaled } from './effective.ts';
import type { Part, ServiceObject } from './objects.ts';

const usualMost = 10;
const usualPercent = 80;

/** Follows the CPU load with the number of copies. */
export function autoscalerOf({ app, spec, metadata }: Part): readonly ServiceObject[] {
  const { name } = app.metadata;
  if (!isAutoscaled(spec)) return [];
  const { min = 1, max, cpuPercent = usualPercent } = spec.autoscaling ?? {};
  return [
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { ...metadata, name },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
        minReplicas: min,
        maxReplicas: max ?? Math.max(min, usualMost),
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: cpuPercent } },
          },
        ],
      },
    },
  ];
}

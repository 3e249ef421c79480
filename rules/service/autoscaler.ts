import { isAutoscaled, maxCopies, usual } from './effective.ts';
import type { Part, ServiceObject } from './part.ts';

/** Follows the CPU load with the number of copies. */
export function autoscalerOf({ app, spec, metadata }: Part): readonly ServiceObject[] {
  const { name } = app.metadata;
  if (!isAutoscaled(spec)) return [];
  const { autoscaling = { enabled: true } } = spec;
  const { min = usual.fewest, cpuPercent = usual.cpuPercent } = autoscaling;
  return [
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { ...metadata, name },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
        minReplicas: min,
        maxReplicas: maxCopies(autoscaling),
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

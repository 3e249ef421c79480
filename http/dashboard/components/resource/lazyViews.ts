import { lazyPart } from '../lazy.tsx';

/** What waits for a deploy, above the views: most often nothing. */
export const DataChanges = lazyPart(async () => (await import('./dataChanges.tsx')).DataChanges, 0);

/** The views that several kinds of resources have, each with code that is loaded when it is first shown. */
export const Connection = lazyPart(async () => (await import('../connection.tsx')).ConnectionCard);
export const Lifecycle = lazyPart(async () => (await import('./lifecycle.tsx')).ResourceLifecycle);
export const Metrics = lazyPart(async () => (await import('../usage/usageCharts.tsx')).UsageCharts);

import { lazyPart } from '../lazy.tsx';

/** The views that several kinds of resources have, each with code that is loaded when it is first shown. */
export const Connection = lazyPart(async () => (await import('../connection.tsx')).ConnectionCard);
export const Lifecycle = lazyPart(async () => (await import('./lifecycle.tsx')).ResourceLifecycle);
export const Metrics = lazyPart(async () => (await import('../usage/usageCharts.tsx')).UsageCharts);

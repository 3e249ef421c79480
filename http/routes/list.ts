import type { Resource } from '../route.ts';
import { buildRoutes } from './builds.ts';

/** Every route of the API. */
export const routes = {
  ...buildRoutes,
} satisfies Resource;

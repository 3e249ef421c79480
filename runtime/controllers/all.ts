import type { BuilderSettings } from '../../rules/build/job.ts';
import { clusters, projects } from '../kinds.ts';
import type { OperatorOptions } from '../operator.ts';
import { appController } from './app/controller.ts';
import { buildController } from './build/controller.ts';
import { connectionController } from './connection.ts';

/** Every kind that is reconciled, and what its facts are read from. */
export const everything = (settings: BuilderSettings): Pick<OperatorOptions, 'controllers' | 'alsoSeen'> => ({
  controllers: [buildController(settings), appController(settings), connectionController()],
  alsoSeen: [projects, clusters],
});

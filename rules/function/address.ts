import { namespaceOf } from '../project/environment.ts';

/** Where a service is called from inside the cluster. Whoever holds requests for a sleeping one is put in its place here. */
export const addressOf = (app: string, project: string, environment: string): string =>
  `http://${app}.${namespaceOf(project, environment)}.svc`;

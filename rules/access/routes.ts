import type { Names } from '../../machines/names.ts';
import { type Caller, classOf } from './caller.ts';
import { type Grant, type NeedName, needs } from './needs.ts';

/** Machines about signing in, whose instances only admins read. */
export const accessMachines: ReadonlySet<string> = new Set<keyof Names>([
  'nameLockout',
  'addressLockout',
  'token',
  'dashboardSession',
  'deviceSignIn',
]);

/** Machines whose instances are only in the leader's memory. */
export const machinesOfTheLeader: ReadonlySet<string> = new Set<keyof Names>(['addressLockout', 'deviceSignIn']);

/** The needs of a route about a machine, for access machines and others. */
const ofMachine = { access: 'adminSession', others: 'workspace' } as const;

/** Every route of the API, under /api and /api/v1 alike, with its needs. Routes not listed are not served. */
export const routes = {
  'POST /login': 'nothing',
  'POST /logout': 'nothing',
  'GET /session': 'nothing',
  'POST /auth/device': 'nothing',
  'POST /auth/token': 'nothing',

  'GET /me': 'signedIn',
  'GET /version': 'signedIn',
  'GET /openapi.json': 'signedIn',

  'GET /apps': 'signedIn',
  'GET /apps/{app}': 'signedIn',
  'GET /apps/{app}/status': 'signedIn',
  'GET /apps/{app}/changes': 'signedIn',
  'GET /apps/{app}/deployments': 'signedIn',
  'GET /apps/{app}/pods': 'logs',
  'GET /apps/{app}/logs': 'serviceLogs',
  'GET /apps/{app}/logs/stream': 'serviceLogs',
  'GET /apps/{app}/metrics': 'signedIn',
  'GET /apps/{app}/explain': 'workspace',
  'GET /apps/{app}/transitions': 'workspace',
  'GET /apps/{app}/variables': 'variables',
  'POST /apps': 'admin',
  'PATCH /apps/{app}': 'act',
  'DELETE /apps/{app}': 'admin',
  'POST /apps/{app}/reconcile': 'admin',
  'POST /apps/{app}/look': 'admin',
  'POST /apps/{app}/deploy': 'act',
  'POST /apps/{app}/rollback': 'act',
  'POST /apps/{app}/retry': 'admin',
  'POST /apps/{app}/scale': 'act',
  'POST /apps/{app}/networking/delete': 'admin',
  'POST /apps/{app}/config/set': 'act',
  'POST /apps/{app}/config/delete': 'act',
  'POST /apps/{app}/secrets/set': 'act',
  'POST /apps/{app}/secrets/delete': 'act',
  'POST /apps/{app}/call': 'admin',
  'GET /apps/{app}/triggers': 'workspace',
  'POST /apps/{app}/triggers': 'admin',
  'DELETE /apps/{app}/triggers/{trigger}': 'admin',
  'POST /apps/{app}/console/create': 'console',
  'GET /apps/{app}/console/ws': 'terminal',
  'GET /apps/{app}/console/sessions': 'adminReads',
  'POST /object-stores/{store}/console/create': 'console',
  'GET /object-stores/{store}/console/stream': 'console',
  'POST /projects/{project}/deploy': 'admin',
  'POST /apps/{app}/build': 'act',
  'POST /apps/{app}/build/cancel': 'act',

  'GET /bootstrap': 'workspace',
  'GET /platform': 'workspace',
  'GET /builds': 'workspace',
  'GET /builds/{build}': 'workspace',
  'GET /builds/{build}/transitions': 'workspace',
  'GET /builds/{build}/explain': 'workspace',
  'GET /builds/{build}/log': 'logs',
  'POST /builds/{build}/reconcile': 'admin',
  'POST /builds/{build}/look': 'admin',
  'GET /databases': 'workspace',
  'GET /databases/{database}': 'workspace',
  'GET /databases/{database}/changes': 'workspace',
  'GET /databases/{database}/dependents': 'workspace',
  'GET /databases/{database}/connection': 'adminReads',
  'POST /databases': 'admin',
  'POST /databases/restore': 'admin',
  'GET /backup-archives': 'workspace',
  'GET /backup-archives/{archive}': 'workspace',
  'GET /backup-archives/{archive}/explain': 'workspace',
  'GET /backup-archives/{archive}/transitions': 'workspace',
  'POST /backup-archives/{archive}/reconcile': 'admin',
  'POST /backup-archives/{archive}/look': 'admin',
  'PATCH /databases/{database}': 'admin',
  'DELETE /databases/{database}': 'admin',
  'GET /databases/{database}/metrics': 'workspace',
  'GET /databases/{database}/explain': 'workspace',
  'GET /databases/{database}/transitions': 'workspace',
  'POST /databases/{database}/reconcile': 'admin',
  'POST /databases/{database}/look': 'admin',
  'POST /databases/{database}/deploy': 'admin',
  'POST /databases/{database}/retry': 'admin',
  'POST /databases/{database}/stop': 'admin',
  'POST /databases/{database}/query': 'admin',
  'GET /logical-databases': 'workspace',
  'GET /logical-databases/{logicalDatabase}': 'workspace',
  'GET /logical-databases/{logicalDatabase}/dependents': 'workspace',
  'GET /logical-databases/{logicalDatabase}/connection': 'adminReads',
  'POST /logical-databases': 'admin',
  'DELETE /logical-databases/{logicalDatabase}': 'admin',
  'GET /logical-databases/{logicalDatabase}/explain': 'workspace',
  'GET /logical-databases/{logicalDatabase}/transitions': 'workspace',
  'POST /logical-databases/{logicalDatabase}/reconcile': 'admin',
  'POST /logical-databases/{logicalDatabase}/look': 'admin',
  'POST /logical-databases/{logicalDatabase}/retry': 'admin',
  'GET /object-stores': 'workspace',
  'GET /object-stores/{store}': 'workspace',
  'GET /object-stores/{store}/changes': 'workspace',
  'GET /object-stores/{store}/dependents': 'workspace',
  'GET /object-stores/{store}/connection': 'adminReads',
  'POST /object-stores': 'admin',
  'PATCH /object-stores/{store}': 'admin',
  'DELETE /object-stores/{store}': 'admin',
  'GET /object-stores/{store}/explain': 'workspace',
  'GET /object-stores/{store}/transitions': 'workspace',
  'POST /object-stores/{store}/reconcile': 'admin',
  'POST /object-stores/{store}/look': 'admin',
  'POST /object-stores/{store}/deploy': 'admin',
  'POST /object-stores/{store}/retry': 'admin',
  'GET /managed-db/cluster-sizes': 'admin',
  'GET /ha-readiness': 'workspace',
  'POST /ha-readiness/check': 'admin',
  'GET /projects': 'workspace',
  'GET /projects/{project}': 'workspace',
  'POST /projects': 'admin',
  'PATCH /projects/{project}': 'admin',
  'DELETE /projects/{project}': 'admin',
  'GET /projects/{project}/metrics': 'workspace',
  'GET /projects/{project}/explain': 'workspace',
  'GET /projects/{project}/transitions': 'workspace',
  'POST /projects/{project}/reconcile': 'admin',
  'POST /projects/{project}/look': 'admin',
  'POST /projects/{project}/environments': 'admin',
  'DELETE /projects/{project}/environments/{environment}': 'admin',
  'GET /projects/{project}/variables': 'sharedVariables',
  'POST /projects/{project}/variables/set': 'admin',
  'POST /projects/{project}/variables/delete': 'admin',
  'GET /projects/{project}/compliance': 'adminReads',
  'POST /projects/{project}/compliance': 'admin',
  'GET /counts/environments': 'workspace',
  'GET /counts/kinds': 'workspace',
  'GET /attention': 'workspace',
  'POST /attention/{id}/retry': 'admin',
  'GET /clusters': 'workspace',
  'PATCH /clusters/{cluster}': 'admin',
  'GET /nodes': 'workspace',
  'GET /nodes/{node}': 'workspace',
  'POST /nodes': 'admin',
  'PATCH /nodes/{node}': 'admin',
  'DELETE /nodes/{node}': 'admin',
  'POST /nodes/{node}/tags': 'admin',
  'GET /settings': 'adminReads',
  'POST /settings/domain/save': 'admin',
  'POST /settings/dns/save': 'admin',
  'POST /settings/dns/disconnect': 'admin',
  'POST /settings/registry/save': 'admin',
  'GET /projects/{project}/webhooks': 'adminReads',
  'POST /projects/{project}/webhooks': 'admin',
  'PATCH /projects/{project}/webhooks/{webhook}': 'admin',
  'DELETE /projects/{project}/webhooks/{webhook}': 'admin',
  'POST /projects/{project}/webhooks/{webhook}/rotate': 'admin',
  'POST /projects/{project}/webhooks/{webhook}/test': 'admin',
  'GET /projects/{project}/webhooks/{webhook}/deliveries': 'adminReads',
  'POST /projects/{project}/webhooks/{webhook}/deliveries/{delivery}/redeliver': 'admin',
  'GET /projects/{project}/pull-requests': 'workspace',
  'POST /projects/{project}/pr-environments/save': 'admin',
  'POST /settings/git-app/save': 'admin',
  'POST /settings/git-app/manifest': 'admin',
  'GET /git/installations': 'admin',
  'POST /projects/{project}/git/connect': 'admin',
  'POST /projects/{project}/git/disconnect': 'admin',
  'GET /projects/{project}/git/repositories': 'admin',
  'GET /projects/{project}/cloud-connections': 'adminReads',
  'POST /projects/{project}/cloud-connections': 'admin',
  'PATCH /projects/{project}/cloud-connections/{connection}': 'admin',
  'DELETE /projects/{project}/cloud-connections/{connection}': 'admin',
  'POST /projects/{project}/backup-storage/save': 'admin',
  'POST /projects/{project}/backup-storage/clear': 'admin',
  'GET /machines': 'workspace',
  'GET /machines/{machine}': ofMachine,
  'GET /machines/{machine}/instances': ofMachine,
  'GET /machines/{machine}/instances/{instance}': ofMachine,
  'GET /machines/{machine}/instances/{instance}/explain': ofMachine,
  'GET /machines/{machine}/instances/{instance}/transitions': ofMachine,
  'POST /machines/{machine}/instances/{instance}/reconcile': 'admin',
  'POST /machines/{machine}/instances/{instance}/look': 'admin',
  'GET /machines/{machine}/transitions': ofMachine,
  'GET /events': 'workspace',

  'GET /auth/device/{code}': 'adminSession',
  'POST /auth/device/approve': 'adminSession',
  'POST /auth/device/deny': 'adminSession',
  'GET /users': 'adminSession',
  'GET /tokens': 'adminSession',
  'POST /tokens': 'adminSession',
  'DELETE /tokens/{token}': 'adminSession',
} as const satisfies Readonly<Record<string, NeedName | Readonly<Record<'access' | 'others', NeedName>>>>;

export type RouteId = keyof typeof routes;

/**
 * Routes that need the in-memory state of the leader: device requests, and sign-in counts by address. Other replicas
 * forward these requests; when the leader is unreachable, they are refused, or answered from the replica's own state.
 */
export const ofTheLeader: Readonly<Partial<Record<RouteId, 'or refused' | 'or answered here'>>> = {
  'POST /login': 'or answered here',
  'POST /auth/device': 'or refused',
  'POST /auth/token': 'or refused',
  'GET /auth/device/{code}': 'or refused',
  'POST /auth/device/approve': 'or refused',
  'POST /auth/device/deny': 'or refused',
};

const isOfMachine = (route: RouteId): boolean => route.includes(' /machines/{machine}');

/** Whether the leader has to answer, and what happens when it is unreachable. */
export const leaderOf = (route: RouteId, machine?: string): 'or refused' | 'or answered here' | undefined =>
  ofTheLeader[route] ??
  (machine !== undefined && isOfMachine(route) && machinesOfTheLeader.has(machine) ? 'or refused' : undefined);

/** Whether the leader has to answer a route, at least for some machines. */
export const mayBeOfTheLeader = (route: RouteId): boolean => ofTheLeader[route] !== undefined || isOfMachine(route);

/** The needs of a route; of a route about a machine, by the machine. */
export function needOf(route: RouteId, machine?: string): NeedName {
  const need = routes[route];
  if (typeof need === 'string') return need;
  return machine !== undefined && accessMachines.has(machine) ? need.access : need.others;
}

/** What a route grants a caller, by its machine; null is a caller without credentials. */
export const grantOf = (route: RouteId, caller: Caller | null, machine?: string): Grant =>
  needs[needOf(route, machine)][classOf(caller)];

import { group } from '../../authentication/user.ts';

/** Which groups have the ClusterRole of the same name from the start. */
export const bootstrapBindings: Readonly<Record<string, readonly string[]>> = {
  'cluster-admin': [group.masters],
  'system:basic-user': [group.authenticated],
  'system:discovery': [group.authenticated],
  'system:monitoring': ['system:monitoring'],
  'system:public-info-viewer': [group.authenticated, group.unauthenticated],
  'system:service-account-issuer-discovery': [group.serviceAccounts],
};

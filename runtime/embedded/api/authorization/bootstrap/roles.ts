import type { PolicyRule } from '../rule.ts';

type Words = string | readonly string[];

/** A ClusterRole that every cluster has. */
export interface BootstrapRole {
  readonly rules: readonly Partial<PolicyRule>[];
  readonly labels?: Readonly<Record<string, string>>;
  /** Its rules are those of the roles with this label. */
  readonly aggregates?: string;
}

const split = (words: Words) => (typeof words === 'string' ? words.split(' ') : words);

/** Verbs on resources of API groups; the core group is the empty one. */
const allow = (verbs: string, groups: Words, resources: string, names?: string): Partial<PolicyRule> => ({
  verbs: split(verbs),
  apiGroups: split(groups),
  resources: split(resources),
  ...(names !== undefined && { resourceNames: split(names) }),
});
const visit = (paths: string): Partial<PolicyRule> => ({ verbs: ['get'], nonResourceURLs: split(paths) });

const core = '';
const auth = 'authentication.k8s.io';
const authz = 'authorization.k8s.io';
const certificates = 'certificates.k8s.io';
const coordination = 'coordination.k8s.io';
const networking = 'networking.k8s.io';
const storage = 'storage.k8s.io';
const read = 'get list watch';
const write = 'create delete deletecollection patch update';
const writeEvents = allow('create patch update', [core, 'events.k8s.io'], 'events');

const aggregateTo = (role: string) => `rbac.authorization.k8s.io/aggregate-to-${role}`;
const into = (role: string) => ({ [aggregateTo(role)]: 'true' });

const approver = (signer: string): BootstrapRole => ({
  rules: [allow('approve', certificates, 'signers', `kubernetes.io/${signer}`)],
});
const requester = (what: string): BootstrapRole => ({
  rules: [allow('create', certificates, `certificatesigningrequests/${what}`)],
});

/** What users are bound to. */
const userFacing: Readonly<Record<string, BootstrapRole>> = {
  'cluster-admin': { rules: [allow('*', '*', '*'), { verbs: ['*'], nonResourceURLs: ['*'] }] },
  admin: { rules: [], aggregates: aggregateTo('admin') },
  edit: { rules: [], aggregates: aggregateTo('edit'), labels: into('admin') },
  view: { rules: [], aggregates: aggregateTo('view'), labels: into('edit') },
  'system:aggregate-to-admin': {
    labels: into('admin'),
    rules: [
      allow('create', authz, 'localsubjectaccessreviews'),
      allow(
        'create delete deletecollection get list patch update watch',
        'rbac.authorization.k8s.io',
        'rolebindings roles',
      ),
    ],
  },
  'system:aggregate-to-edit': {
    labels: into('edit'),
    rules: [
      allow(read, core, 'pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy'),
      allow('impersonate', core, 'serviceaccounts'),
      allow(write, core, 'pods pods/attach pods/exec pods/portforward pods/proxy'),
      allow('create', core, 'pods/eviction'),
      allow(
        write,
        core,
        'configmaps events persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy',
      ),
      allow('create', core, 'serviceaccounts/token'),
      allow(
        write,
        'apps',
        'daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale',
      ),
      allow(write, 'autoscaling', 'horizontalpodautoscalers'),
      allow(write, 'batch', 'cronjobs jobs'),
      allow(
        write,
        'extensions',
        'daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale',
      ),
      allow(write, 'policy', 'poddisruptionbudgets'),
      allow(write, networking, 'ingresses networkpolicies'),
      allow('create delete deletecollection get list patch update watch', coordination, 'leases'),
    ],
  },
  'system:aggregate-to-view': {
    labels: into('view'),
    rules: [
      allow(
        read,
        core,
        'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status',
      ),
      allow(
        read,
        core,
        'bindings events limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
      ),
      allow(read, core, 'namespaces'),
      allow(read, 'discovery.k8s.io', 'endpointslices'),
      allow(
        read,
        'apps',
        'controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status',
      ),
      allow(read, 'autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status'),
      allow(read, 'batch', 'cronjobs cronjobs/status jobs jobs/status'),
      allow(
        read,
        'extensions',
        'daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale',
      ),
      allow(read, 'policy', 'poddisruptionbudgets poddisruptionbudgets/status'),
      allow(read, networking, 'ingresses ingresses/status networkpolicies'),
    ],
  },
};

/** What everybody may see of the API, and what helpers of a cluster ask of it. */
const ofTheApi: Readonly<Record<string, BootstrapRole>> = {
  'system:auth-delegator': {
    rules: [allow('create', auth, 'tokenreviews'), allow('create', authz, 'subjectaccessreviews')],
  },
  'system:basic-user': {
    rules: [
      allow('create', authz, 'selfsubjectaccessreviews selfsubjectrulesreviews'),
      allow('create', auth, 'selfsubjectreviews'),
    ],
  },
  'system:discovery': {
    rules: [visit('/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/')],
  },
  'system:monitoring': {
    rules: [visit('/healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/*')],
  },
  'system:public-info-viewer': { rules: [visit('/healthz /livez /readyz /version /version/')] },
  'system:service-account-issuer-discovery': {
    rules: [visit('/.well-known/openid-configuration /openid/v1/jwks')],
  },
  'system:certificates.k8s.io:certificatesigningrequests:nodeclient': requester('nodeclient'),
  'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient': requester('selfnodeclient'),
  'system:certificates.k8s.io:kube-apiserver-client-approver': approver('kube-apiserver-client'),
  'system:certificates.k8s.io:kube-apiserver-client-kubelet-approver': approver('kube-apiserver-client-kubelet'),
  'system:certificates.k8s.io:kubelet-serving-approver': approver('kubelet-serving'),
  'system:certificates.k8s.io:legacy-unknown-approver': approver('legacy-unknown'),
  'system:kubelet-api-admin': {
    rules: [
      allow(read, core, 'nodes'),
      allow('proxy', core, 'nodes'),
      allow('*', core, 'nodes/log nodes/metrics nodes/proxy nodes/stats'),
    ],
  },
  'system:node-bootstrapper': { rules: [allow('create get list watch', certificates, 'certificatesigningrequests')] },
  'system:node-problem-detector': {
    rules: [allow('get', core, 'nodes'), allow('patch', core, 'nodes/status'), writeEvents],
  },
  'system:node-proxier': {
    rules: [
      allow('list watch', core, 'endpoints services'),
      allow(read, core, 'nodes'),
      writeEvents,
      allow('list watch', 'discovery.k8s.io', 'endpointslices'),
    ],
  },
  'system:persistent-volume-provisioner': {
    rules: [
      allow('create delete get list watch', core, 'persistentvolumes'),
      allow('get list update watch', core, 'persistentvolumeclaims'),
      allow(read, storage, 'storageclasses'),
      allow('watch', core, 'events'),
      writeEvents,
    ],
  },
  'system:volume-scheduler': {
    rules: [
      allow('get list patch update watch', core, 'persistentvolumes'),
      allow(read, storage, 'storageclasses'),
      allow('get list patch update watch', core, 'persistentvolumeclaims'),
    ],
  },
  'system:kube-dns': { rules: [allow('list watch', core, 'endpoints services')] },
};

/** The ClusterRoles that every cluster has, by name. */
export const bootstrapRoles: Readonly<Record<string, BootstrapRole>> = { ...userFacing, ...ofTheApi };

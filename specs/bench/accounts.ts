import { atApi, caller, configMap, each, load, path } from './embeddedClient.ts';

/** Writes by an account whose roles have to be looked through, against those of the admin. */
export interface AccountFigures {
  readonly adminPerSecond: number;
  readonly accountPerSecond: number;
}

const objects = 100;
const rounds = 3;
const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/core-system';

export const accountFigures = (): Promise<AccountFigures> =>
  atApi(async (access, agent) => {
    const admin = caller(access, agent);
    const put = (where: string, object: object) => admin('POST', where, JSON.stringify(object));
    await put('/api/v1/namespaces/core-system/serviceaccounts', { metadata: { name: 'bench' } });
    await put(`${rbac}/roles`, {
      metadata: { name: 'bench' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'patch'] }],
    });
    await put(`${rbac}/rolebindings`, {
      metadata: { name: 'bench' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'bench' },
      subjects: [{ kind: 'ServiceAccount', name: 'bench', namespace: 'core-system' }],
    });
    let token = '';
    const request = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} });
    await admin('POST', '/api/v1/namespaces/core-system/serviceaccounts/bench/token', request, {
      read: (text) => {
        token = (JSON.parse(text) as { readonly status: { readonly token: string } }).status.token;
      },
    });
    const account = caller({ ...access, token }, agent);
    await each(objects, (index) => admin('POST', path, configMap(`m${index}`)));
    const writes = (call: typeof admin) => (turn: number) =>
      call('PATCH', `${path}/m${turn % objects}`, JSON.stringify({ data: { turn: `${turn}-${performance.now()}` } }));
    const rates = { admin: 0, account: 0 };
    // In turns, so that what else the machine does hits both alike.
    for (let round = 0; round < rounds; round += 1) {
      rates.admin += (await load(writes(admin), 2)).rate / rounds;
      rates.account += (await load(writes(account), 2)).rate / rounds;
    }
    return { adminPerSecond: rates.admin, accountPerSecond: rates.account };
  });

import * as assert from 'uvu/assert';
import { type CorePlatformConfig, corePlatformConfig, platformConfigName } from '../../crds/corePlatformConfig.ts';
import { typeMeta } from '../../crds/kind.ts';
import type { ManifestStep } from '../../http/api.ts';
import { platformConfigs } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { inSystem } from '../support/project.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { serve, type Served } from './served.ts';

const spec = suite('the Git host application over REST');
let served: Served;
spec.before.each(async () => {
  served = await serve();
});
spec.after.each(() => served.stop());

const values = {
  appId: '12',
  clientId: 'client',
  clientSecret: 'client-secret',
  slug: 'core',
  privateKey: 'key',
  webhookSecret: 'hook',
};
const cached = (): CorePlatformConfig | undefined => served.operator.caches.get(platformConfigs, platformConfigName);
const keys = () => {
  const found = served.world.cluster.all(secrets).find(({ metadata }) => metadata.name === 'platform-git-app');
  return Object.fromEntries(
    Object.entries(found?.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  );
};

/** A configuration whose dashboard address is verified, or was for an earlier one. */
async function given(observedGeneration = 1): Promise<void> {
  served.world.cluster.put(platformConfigs, {
    ...typeMeta(corePlatformConfig),
    metadata: { ...inSystem(platformConfigName), generation: 1 },
    spec: { rootDomain: 'example.org', dashboardExposure: 'ingress' },
    status: {
      conditions: [
        {
          type: 'DashboardDomainReady',
          status: 'True',
          reason: 'Verified',
          message: 'it answers',
          lastTransitionTime: '2027-01-01T00:00:00Z',
          observedGeneration,
        },
      ],
    },
  });
  await until(() => cached(), 'the configuration is cached');
}
const save = (body: object = values) => served.post('/api/v1/settings/git-app/save', body);
const manifest = (body: object = {}) => served.post('/api/v1/settings/git-app/manifest', body);
const refused = '{"error":"dashboard URL must be configured first"}';

spec('PLC-071 the Git host application is refused until the dashboard address is verified', async () => {
  for (const answer of [await save(), await manifest()]) assert.equal([answer.status, answer.text], [409, refused]);
  await given(0);
  assert.is((await save()).text, refused);
  assert.equal(keys(), {});
});

spec('PLC-021 PLC-070 the six values are stored in the Secret before the configuration references it', async () => {
  await given();
  assert.is((await save({ ...values, slug: '' })).status, 400);
  assert.is((await save()).status, 200);
  assert.equal(keys(), {
    app_id: '12',
    client_id: 'client',
    client_secret: 'client-secret',
    slug: 'core',
    private_key: 'key',
    webhook_secret: 'hook',
  });
  assert.is(cached()?.spec.gitAppRef?.name, 'platform-git-app');
});

spec(
  'GIT-029 an application is created from a manifest with read permissions, and its code is accepted once',
  async () => {
    await given();
    const begun = (await manifest()).json() as ManifestStep;
    const { default_permissions, default_events, hook_attributes } = begun.manifest ?? {};
    assert.equal(default_permissions, { checks: 'read', contents: 'read', metadata: 'read', pull_requests: 'read' });
    assert.equal(default_events, ['push', 'pull_request']);
    assert.equal(hook_attributes, { url: 'https://core.example.org/webhooks/git', active: true });
    const state = new URL(begun.address ?? '').searchParams.get('state') ?? '';
    served.world.git.made = { is: 'found', value: values };
    assert.is((await manifest({ code: 'a-code', state: 'another' })).status, 409);
    assert.is((await manifest({ code: 'a-code', state })).status, 200);
    assert.is(keys()['private_key'], 'key');
    assert.is((await manifest({ code: 'a-code', state })).status, 409);
    assert.equal(
      served.world.git.asked.filter((question) => question.startsWith('made')),
      ['made a-code'],
    );
  },
);

spec.run();

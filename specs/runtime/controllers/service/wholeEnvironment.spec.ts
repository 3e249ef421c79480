import * as assert from 'uvu/assert';
import { owned } from '../../../../runtime/owned/owned.ts';
import { environmentRole } from '../../../../rules/project/access.ts';
import { madeLabels } from '../../../../rules/project/environment.ts';
import { policyNames } from '../../../../rules/project/policies.ts';
import { putReadyProject } from '../../../support/database.ts';
import { draft, standing } from '../../../support/service.ts';
import { suite } from '../../../support/suite.ts';
import { deploy, type ServiceSession, withSession } from './session.ts';

const spec = suite('services of a project that is not ready');

const place = { cluster: 'local', project: 'shop', environment: 'production' };
const asDraft = { spec: { deploy: { enabled: false } }, annotations: draft };
const part = (name: string) => ({ metadata: { name, namespace: 'shop-production', labels: madeLabels(place) } });

/** Puts the binding and the policies of the environment, one by one. */
function makeWhole({ environment: { cluster } }: ServiceSession): void {
  cluster.put(owned.roleBindings, part(environmentRole));
  for (const name of policyNames) cluster.put(owned.networkPolicies, part(name));
}

spec('SVC-027 SVC-027a PRJ-131 a service is applied once its own environment is whole, and told of its project', () =>
  withSession(asDraft, async (session) => {
    putReadyProject(session.environment, 'False');
    assert.is(await deploy(session), null);
    await session.pass(60);
    const { environment } = session;
    assert.equal(standing(environment), []);
    makeWhole(session);
    await session.pass(1);
    assert.is(session.message(), 'project "shop" is not ready');
    assert.ok(standing(environment).includes('Deployment hello'));
  }),
);

spec('SVC-027 a service waits while its environment lacks a policy', () =>
  withSession(asDraft, async (session) => {
    putReadyProject(session.environment, 'False');
    assert.is(await deploy(session), null);
    const { cluster } = session.environment;
    cluster.put(owned.roleBindings, part(environmentRole));
    await session.pass(60);
    assert.equal(standing(session.environment), []);
  }),
);

spec.run();

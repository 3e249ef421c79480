import * as assert from 'uvu/assert';
import { annotation } from '../../../../crds/names.ts';
import { selectorLabels } from '../../../../rules/service/labels.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import type { ClusterShape } from '../../../../runtime/services/cluster/cluster.ts';
import { counted, type Counted } from '../../../bench/counted.ts';
import { draft, standing } from '../../../support/service.ts';
import { suite } from '../../../support/suite.ts';
import { withSession } from './session.ts';

const spec = suite('a new draft');

const asDraft = { spec: { deploy: { enabled: false } }, annotations: draft };

/** What the operator asks of the cluster, and of it the lists of objects that one service owns. */
function counting() {
  let requests: Counted | undefined;
  const through = (cluster: ClusterShape) => (requests = counted(cluster)).cluster;
  const searches = () =>
    (requests?.reads ?? []).filter((read) => read.startsWith('list ') && read.includes('core.platform/name='));
  return { through, searches };
}

spec('SVC-011 a new draft is not searched for resources of an earlier state', () => {
  const { through, searches } = counting();
  return withSession({ ...asDraft, through }, async (session) => {
    await session.pass(60);
    assert.equal(session.moves('service'), ['(none) createdAsDraft Draft']);
    assert.equal(searches(), []);
    await session.edit((environment) => {
      const app = session.app();
      const identity = { labels: selectorLabels(app), annotations: { [annotation.ownerUid]: app.metadata.uid ?? '' } };
      environment.cluster.put(owned.services, {
        metadata: { name: 'hello', namespace: 'shop-production', ...identity },
      });
    });
    await session.pass(5);
    assert.equal(standing(session.environment), [], 'what appears of it later goes all the same');
  });
});

spec.run();

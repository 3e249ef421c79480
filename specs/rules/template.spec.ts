import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { coreApp, type CoreApp } from '../../crds/coreApp.ts';
import { typeMeta } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import { deploymentOf } from '../../rules/service/deployment.ts';
import type { ServiceObject } from '../../rules/service/part.ts';
import { type Additions, additions, noAdditions, standingAdditions } from '../../rules/service/template.ts';
import { plainSettled } from '../support/settled.ts';
import { suite } from '../support/suite.ts';

const spec = suite('pod template of a service');

interface Template {
  readonly spec: Readonly<Record<string, unknown>> & {
    readonly containers: readonly [Readonly<Record<string, unknown>>];
  };
}
const templateIn = (object: ServiceObject) => (object.spec as { readonly template: Template }).template;

/** The Deployment of a service that runs an image, as a version with these additions applies it over what stands. */
function applied(image: string, own: Additions, live: ServiceObject | null): ServiceObject {
  const app: CoreApp = {
    ...typeMeta(coreApp),
    metadata: { name: 'web', namespace: 'core-system' },
    spec: { project: 'shop', environment: 'production', source: { image }, deploy: { enabled: true } },
  };
  const { [annotation.rollout]: rollout = '', [annotation.templateAdditions]: text = '' } =
    live?.metadata.annotations ?? {};
  const added = live ? standingAdditions(templateIn(live), text, own) : noAdditions;
  const settled = plainSettled(image, { rollout: { stands: rollout, added, hasRoom: () => true } });
  return deploymentOf({ app, spec: app.spec, settled, metadata: { namespace: 'shop-production', labels: {} } }, own);
}

/** As the API keeps it: with what it fills in. */
function stored(object: ServiceObject): ServiceObject {
  const template = templateIn(object);
  const [container] = template.spec.containers;
  const filled = { ...container, terminationMessagePath: '/dev/termination-log', imagePullPolicy: 'Always' };
  const pod = { ...template.spec, restartPolicy: 'Always', dnsPolicy: 'ClusterFirst', containers: [filled] };
  return { ...object, spec: { ...object.spec, template: { ...template, spec: pod } } };
}

const fields = (...names: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.nat(), fc.record({ seconds: fc.nat() })), { maxKeys: 2 });
const version = fc.record({
  pod: fields('terminationGracePeriodSeconds', 'shareProcessNamespace', 'setHostnameAsFQDN'),
  container: fields('lifecycle', 'startupProbe', 'tty'),
});

spec('an upgrade or a downgrade changes no pods, and the next rollout has the additions of its version', () =>
  fc.assert(
    fc.property(
      version,
      fc.array(fc.record({ own: version, changes: fc.boolean() }), { minLength: 1, maxLength: 8 }),
      (first, later) => {
        let image = 'one';
        let sent = applied(image, first, null);
        for (const { own, changes } of later) {
          if (changes) image = `${image}-again`;
          const next = applied(image, own, stored(sent));
          if (!changes) assert.equal(templateIn(next), templateIn(sent));
          else assert.equal(templateIn(next), templateIn(applied(image, own, null)));
          sent = next;
        }
      },
    ),
  ),
);

spec('a terminating pod serves for five more seconds, from the next rollout on', () => {
  const before = applied('one', noAdditions, null);
  const upgraded = applied('one', additions, stored(before));
  assert.equal(upgraded, before);
  const rolledOut = applied('two', additions, stored(upgraded));
  const [container] = templateIn(rolledOut).spec.containers;
  assert.equal(container['lifecycle'], { preStop: { sleep: { seconds: 5 } } });
});

spec('removed additions of a template are restored, and an annotation without a list names none', () => {
  const sent = stored(applied('one', additions, null));
  const [whole] = templateIn(sent).spec.containers;
  const container = Object.fromEntries(Object.entries(whole).filter(([name]) => !(name in additions.container)));
  const template = { spec: { ...templateIn(sent).spec, containers: [container] } };
  const text = sent.metadata.annotations?.[annotation.templateAdditions] ?? '';
  assert.equal(standingAdditions(template, text), additions);
  for (const other of ['', '{', '[]', '{"pod":"dnsPolicy"}', '{"container":[7]}'])
    assert.equal(standingAdditions(template, other), noAdditions, other);
});

spec.run();

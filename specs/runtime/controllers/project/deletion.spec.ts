import * as assert from 'uvu/assert';
import { conditionOf } from '../../../../rules/condition.ts';
import { messageInWords } from '../../../../rules/redaction/words.ts';
import { deletionAsked } from '../../../../rules/project/deletion.ts';
import { isChosen } from '../../../support/share.ts';
import { suite } from '../../../support/suite.ts';
import { cutGate, heldWorld } from './holdings.ts';

const spec = suite('deletion of projects and environments');

const kindsIn = (writes: readonly string[]) =>
  [...new Set(writes.filter((write) => write.startsWith('remove ')).map((write) => write.split(' ')[1]))].filter(
    (kind) => kind?.startsWith('Core') || kind === 'Secret' || kind === 'Namespace',
  );

spec(
  'PRJ-104 PRJ-106 PRJ-107 PRJ-108 a project is deleted with its contents in order, and nothing else is',
  async () => {
    const held = await heldWorld();
    const before = held.versions('bank');
    held.askWhole();
    const gate = cutGate();
    await held.session(gate);
    assert.equal(held.standing('shop'), ['Secret core-system/shop-git-token']);
    assert.equal(held.versions('bank'), before, 'nothing of another project is touched');
    assert.equal(kindsIn(gate.passed), [
      'CoreApp',
      'CoreLogicalDatabase',
      'CoreDatabase',
      'CoreObjectStore',
      'CoreCloudConnection',
      'CoreGitHostConnection',
      'Namespace',
      // That of the services; the project's own go with it, by the garbage collector.
      'Secret',
    ]);
  },
);

spec('PRJ-109 the tokens of a project are revoked before its contents are deleted', async () => {
  const held = await heldWorld();
  held.putTokens('bank', 'shop');
  held.askWhole();
  const before = held.standing('shop');
  await held.session();
  assert.equal(held.standing('shop'), before);
  held.putTokens('bank');
  await held.session();
  assert.is(held.project(), undefined);
});

spec('PRJ-106 a project deletion completes when the operator dies between any two writes', async () => {
  const given = { projects: ['shop'], environments: ['production'] };
  const whole = await heldWorld(given);
  const gate = cutGate();
  whole.askWhole();
  await whole.session(gate);
  assert.ok(gate.passed.length > 20);
  for (let writes = 0; writes < gate.passed.length; writes++) {
    if (!isChosen(writes, 8)) continue;
    const held = await heldWorld(given);
    held.askWhole();
    await held.session(cutGate(writes), 5);
    await held.session();
    assert.equal(held.standing('shop'), ['Secret core-system/shop-git-token'], `cut after ${gate.passed[writes - 1]}`);
  }
});

spec('a deletion request completes when it stops between its two writes', async () => {
  const held = await heldWorld();
  held.askWhole(1);
  assert.is(held.project()?.metadata.deletionTimestamp, undefined);
  await held.session();
  assert.equal(held.standing('shop'), ['Secret core-system/shop-git-token']);
});

const remainingIn = (held: Awaited<ReturnType<typeof heldWorld>>) =>
  conditionOf(held.project(), 'ContentRemaining')?.message ?? '';

spec('PRJ-002 a deletion by kubectl deletes no dependents and reports what it waits for', async () => {
  const held = await heldWorld();
  const before = held.standing('shop');
  held.deleteDirectly();
  await held.session();
  assert.equal(held.standing('shop'), before);
  assert.match(
    remainingIn(held),
    'project "shop" is being deleted once these are deleted: CoreApp shop-production-app, CoreApp shop-staging-app, ' +
      'CoreLogicalDatabase shop-production-logical',
  );
  held.askWhole(1);
  await held.session();
  assert.equal(held.standing('shop'), ['Secret core-system/shop-git-token'], 'until it is asked for with everything');
});

spec(
  'remaining objects are listed while the project is terminating, those of a hidden kind without names',
  async () => {
    const held = await heldWorld();
    held.putTokens('bank', 'shop');
    held.askWhole();
    await held.session();
    assert.match(
      remainingIn(held),
      'project "shop" is being deleted with everything in it, and left of it is: CoreApp',
    );
    const { params = [] } = conditionOf(held.project(), 'ContentRemaining') ?? {};
    assert.ok(params.length > 0);
  },
);

spec('PRJ-002 PRJ-108 a namespace that stays terminating is reported with its cause until it is gone', async () => {
  const held = await heldWorld({ projects: ['shop'], environments: ['production'] });
  const waitsFor = [
    'Some resources are remaining: configmaps. has 1 resource instances',
    'Some content in the namespace has finalizers remaining: example.com/held in 1 resource instances',
  ];
  held.putHeld('shop-production', ['example.com/held']);
  held.askWhole();
  await held.session();
  const left = 'project "shop" is being deleted with everything in it, and left of it is: Namespace shop-production';
  assert.is(remainingIn(held), left);
  held.putStatus('shop-production', waitsFor);
  await held.session();
  assert.is(remainingIn(held), `${left}: ${waitsFor.join('; ')}`);
  const condition = conditionOf(held.project(), 'ContentRemaining');
  assert.is(
    messageInWords(condition ?? { reason: '', message: '' }, 'viewer'),
    left.replace('shop-production', '…: …'),
  );
  held.putHeld('shop-production', []);
  await held.session();
  assert.is(held.project(), undefined);
});

spec(
  'PRJ-110 a deleted environment loses its variables, values, resources and namespace, and its list entry last',
  async () => {
    const held = await heldWorld();
    const before = held.versions('bank');
    held.askEnvironment('staging');
    const gate = cutGate();
    await held.session(gate);
    assert.equal(held.standing('shop-staging'), []);
    const project = held.project();
    assert.equal(project?.spec.environments, ['production']);
    assert.equal(project?.status?.environments, [{ name: 'production', namespace: 'shop-production' }]);
    assert.equal(
      project?.spec.sharedVariables?.map(({ environment, name }) => `${environment} ${name}`),
      ['production LEVEL', 'production TOKEN'],
    );
    const standing = held.standing('shop-production');
    for (const kind of ['CoreApp', 'CoreDatabase', 'CoreLogicalDatabase', 'CoreObjectStore', 'Namespace'])
      assert.ok(
        standing.some((one) => one.startsWith(`${kind} `)),
        kind,
      );
    assert.ok(held.standing('shop').includes('Secret core-system/shop-shared-secrets'));
    assert.equal(deletionAsked(project ?? { metadata: { name: '' } }), { everything: false, environments: [] });
    assert.is(conditionOf(project, 'ContentRemaining'), undefined);
    assert.is(conditionOf(project, 'Ready')?.status, 'True');
    assert.equal(held.versions('bank'), before);
    // The Secret is that of the services, which lose the variables first.
    assert.equal(kindsIn(gate.passed), [
      'Secret',
      'CoreApp',
      'CoreLogicalDatabase',
      'CoreDatabase',
      'CoreObjectStore',
      'Namespace',
    ]);
  },
);

spec('PRJ-110 the deletion of an environment completes when the operator dies between any two writes', async () => {
  const given = { projects: ['shop'] };
  const whole = await heldWorld(given);
  const gate = cutGate();
  whole.askEnvironment('staging');
  await whole.session(gate);
  assert.ok(gate.passed.length > 8);
  const standing = whole.standing('shop');
  for (let writes = 0; writes < gate.passed.length; writes++) {
    if (!isChosen(writes, 8)) continue;
    const held = await heldWorld(given);
    held.askEnvironment('staging');
    await held.session(cutGate(writes), 5);
    await held.session();
    assert.equal(held.standing('shop'), standing, `cut after ${gate.passed[writes - 1]}`);
    assert.equal(held.project()?.spec.environments, ['production']);
  }
});

spec('PRJ-111 the last environment stays when a user removes the others from the list', async () => {
  const held = await heldWorld({ projects: ['shop'] });
  const before = held.standing('shop-staging');
  held.askEnvironment('staging');
  held.list('staging');
  await held.session();
  const project = held.project() ?? { metadata: { name: '' } };
  assert.equal(deletionAsked(project).environments, [], 'what was asked for is withdrawn');
  assert.equal(held.standing('shop-staging'), before);
  held.list('staging', 'production');
  await held.session();
  assert.equal(held.standing('shop-staging'), before, 'and does not come back');
});

spec('PRJ-110 an existing namespace stays and loses its project label', async () => {
  const held = await heldWorld({ projects: ['shop'] });
  held.disown('shop-staging');
  held.askEnvironment('staging');
  await held.session();
  assert.equal(held.standing('shop-staging'), ['Namespace /shop-staging']);
  assert.equal(held.labelsOf('shop-staging'), ['kubernetes.io/metadata.name']);
  assert.equal(held.project()?.spec.environments, ['production']);
});

spec.run();

import { readdirSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import type { Read } from '../../../http/api.ts';
import {
  appliesOf,
  appliesWord,
  atOnceWord,
  calledWord,
  endingsWord,
  isDraft,
  scheduledWord,
} from '../../../http/dashboard/model/gate.ts';
import { waits } from '../../../http/dashboard/model/project.ts';
import {
  restartElsewhere,
  restartOfDatabase,
  restartOfService,
  restartOfServices,
} from '../../../http/dashboard/model/restart.ts';
import { copiesOf } from '../../../http/dashboard/model/service.ts';
import { settingsCards } from '../../../http/dashboard/pages/service/settings/model.ts';
import { suite } from '../../support/suite.ts';
import { summary } from './summary.ts';

const gate = suite('deploy gate on pages');

const read = (over: Partial<Read['resource']> = {}, spec: Read['spec'] = {}): Read => ({
  resource: summary('web', { ...over, details: { source: 'image', reason: 'ProvisionFailed', ...over.details } }),
  spec,
  status: {},
});
const ungated = read({ details: { appliesAtOnce: true } });
const gated = read({ details: { appliesAtOnce: false } });
const draft = read({ state: 'draft', details: { appliesAtOnce: false, pending: ['created'] } });
const deleting = read({ state: 'deleting', details: { appliesAtOnce: true } });
const states = [ungated, gated, draft, deleting];

const atOnce = 'Applies at once: this service is deployed on every change.';

gate('KND-029 each state of the gate has its own sentence', () => {
  assert.equal(
    states.map(({ resource }) => appliesOf(resource)),
    ['atOnce', 'onDeploy', 'onceDeployed', 'never'],
  );
  assert.equal(
    states.map(({ resource }) => appliesWord(resource)),
    [
      atOnce,
      'Saved; takes effect on the next deploy.',
      'Saved with the draft; takes effect once it is deployed.',
      'Being deleted; nothing can be changed.',
    ],
  );
  assert.is(
    appliesWord({ ...ungated.resource, kind: 'CoreDatabase' }),
    'Applies at once: this database is deployed on every change.',
  );
});

gate('KND-029 a service without the gate has one settings card with every field', () => {
  const [card, ...others] = settingsCards(ungated);
  assert.equal([card?.help, others.length], [atOnce, 0]);
  const fields = settingsCards(gated).flatMap((one) => one.fields.map(({ name }) => name));
  assert.equal(card?.fields.map(({ name }) => name).toSorted(), fields.toSorted());
  assert.equal(
    settingsCards(gated).map(({ title, help }) => [title, help]),
    [
      ['At once', 'Applies as soon as it is saved, without a deploy.'],
      ['On next deploy', 'Saved; takes effect on the next deploy.'],
    ],
  );
  assert.equal(
    [draft, deleting].map((one) => settingsCards(one).map(({ help }) => help)),
    [[appliesWord(draft.resource)], [appliesWord(deleting.resource)]],
    'of a draft nothing applies at once either',
  );
});

gate('KND-029 no sentence of a gate state describes another state', () => {
  const said = (one: Read) => [
    appliesWord(one.resource),
    atOnceWord(one.resource),
    scheduledWord(one.resource),
    calledWord(one.resource),
    ...settingsCards(one).map(({ help }) => help),
  ];
  for (const text of said(ungated))
    assert.not.match(text, /waits|next deploy|deployed code|Deploy changes|and deploy/, text);
  assert.match(endingsWord(ungated.resource), /wait for a deploy from then on/);
  assert.not.match(endingsWord(gated.resource), /from then on/);
  for (const text of [...said(gated), ...said(draft)]) assert.not.match(text, /every change/, text);
  for (const text of said(draft)) assert.not.match(text, /as soon as|next deploy/, text);
});

gate('DB-056 a database without the gate is not a draft and has nothing waiting', () => {
  const database = { ...ungated.resource, kind: 'CoreDatabase', state: 'draft' } as const;
  assert.equal([isDraft(database), waits(database), appliesOf(database)], [false, false, 'atOnce']);
  assert.equal([isDraft(draft.resource), waits(draft.resource)], [true, true]);
});

gate('KND-029 a service asks before a save that restarts copies, and names them', () => {
  const asked = (one: Read, copies: number | null, ...paths: string[]) =>
    restartOfService(one, copies, paths)?.text ?? null;
  assert.is(
    asked(ungated, 2, 'port'),
    'web is deployed on every change. Saving restarts its 2 copies with what you typed.',
  );
  assert.is(
    asked(ungated, 1, 'config', 'port'),
    'web is deployed on every change. Saving restarts its copy with what you typed.',
  );
  assert.is(
    asked(ungated, null, 'source.git.branch', 'build.cache'),
    'web is deployed on every change. Saving builds it anew, and the new image restarts its copies.',
  );
  assert.is(asked(ungated, 2, 'replicas', 'networking.host', 'source.git.watchPaths'), null, 'nothing restarts');
  assert.is(asked(ungated, 0, 'port'), null, 'no copy runs');
  for (const one of [gated, draft, deleting]) assert.is(asked(one, 2, 'port'), null, 'it waits');
  assert.equal([copiesOf(null), copiesOf({ replicas: null })], [null, 0]);
});

gate('KND-029 a database without the gate asks before a save that restarts its instances', () => {
  const database = (spec: Read['spec'] = {}) => read({ kind: 'CoreDatabase', details: { appliesAtOnce: true } }, spec);
  const asked = (one: Read, ...paths: string[]) => restartOfDatabase(one, paths)?.text ?? null;
  assert.match(String(asked(database({ instances: 3 }), 'resources.requests.cpu')), /restarts its 3 instances/);
  assert.match(String(asked(database(), 'version')), /restarts its instance;/);
  assert.is(asked(database(), 'storageSize', 'backup.enabled'), null);
  assert.is(asked(gated, 'version'), null);
});

gate('KND-047 a setting of a project or the platform names the services it restarts', () => {
  const services = [summary('web'), summary('api'), summary('new', { state: 'draft' })];
  assert.equal(restartElsewhere(services), {
    title: 'Restart 2 services?',
    text: 'They move to other nodes at once, so the copies of 2 services: web, api restart.',
    yes: 'Save and restart',
  });
  assert.is(restartOfServices([summary('new', { state: 'draft' })], ''), null);
});

/** What tells when a change applies; other files take it from where the gate's state decides it. */
const promises = /next deploy|waits for Deploy|deployed on every change|as soon as (?:it|they) (?:is|are) saved/;
const dashboard = new URL('../../../http/dashboard/', import.meta.url);

gate('KND-029 sentences about the next deploy are only in files that know the gate state', () => {
  const files = readdirSync(dashboard, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const found = files.filter((name) => {
    const text = readFileSync(new URL(name, dashboard), 'utf8').replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '');
    return promises.test(text);
  });
  assert.equal(found.toSorted(), [
    // What waits is what the server says differs from what runs.
    'components/running.tsx',
    'model/gate.ts',
    'model/restart.ts',
    // Settings of a project have no gate (KND-047).
    'pages/projectSettings/text.ts',
  ]);
});

gate.run();

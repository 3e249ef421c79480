import * as assert from 'uvu/assert';
import type { Instance, StreamEvent } from '../../../http/api.ts';
import { ofKinds, ofService } from '../../../http/dashboard/kindPages/service/concerns.ts';
import { everything, type Filter } from '../../../http/dashboard/model/filter.ts';
import { orderedResources, resourceRows, shownResources } from '../../../http/dashboard/model/resourceFilter.ts';
import {
  createCommand,
  emptyService,
  firstService,
  manifestOf,
  newServiceBody,
  type NewService,
  portWord,
  stepProblem,
  withChange,
} from '../../../http/dashboard/model/newService.ts';
import { deployCommand, projectCounts, statusCommand } from '../../../http/dashboard/model/project.ts';
import { atOnceFields, onDeployFields } from '../../../http/dashboard/model/settingFields.ts';
import { changedBody } from '../../../http/dashboard/model/settings.ts';
import { suite } from '../../support/suite.ts';
import { terminal } from '../cli/terminal.ts';
import { instance } from './instance.ts';
import { summary } from './summary.ts';

const projects = suite('project pages');

const place = { project: 'shop', environment: 'production' };

projects('each environment counts its services and those failed, moving or waiting for a deploy', () => {
  const counted = [
    { project: 'shop', environment: 'production', states: { ready: 1, failed: 1, pending: 1 }, waiting: 1 },
    { project: 'shop', environment: 'staging', states: { draft: 1 }, waiting: 1 },
    { project: 'other', environment: 'production', states: { ready: 1 }, waiting: 0 },
  ];
  const details = { environments: ['production', 'staging', 'empty'] };
  assert.equal(projectCounts([summary('shop', { kind: 'CoreProject', details })], counted), [
    {
      name: 'shop',
      displayName: 'shop',
      environments: [
        { name: 'production', total: 3, failed: 1, moving: 1, waiting: 1 },
        { name: 'staging', total: 1, failed: 0, moving: 0, waiting: 1 },
        { name: 'empty', total: 0, failed: 0, moving: 0, waiting: 0 },
      ],
    },
  ]);
});

projects('a filter finds services by words, state, retrying and stuck time', () => {
  const services = [summary('web', { state: 'failed' }), summary('api'), summary('job', { state: 'pending' })];
  const retried = instance({ kind: 'CoreApp', name: 'job', retrying: true, since: '2026-11-23T01:50:00.000Z' });
  const rows = resourceRows(services, [retried], (name) => name);
  const names = (changes: Partial<Filter>) => {
    const filter: Filter = { ...everything, sort: 'name', ...changes };
    const shown = shownResources(orderedResources(rows, filter), filter, Date.parse('2026-11-23T02:00:00.000Z'));
    return shown.map(({ resource: { name } }) => name);
  };
  assert.equal(names({}), ['api', 'job', 'web']);
  assert.equal(names({ reversed: true }), ['web', 'job', 'api']);
  assert.equal(names({ text: 'WEB failed' }), ['web']);
  assert.equal(names({ text: 'shop ready' }), ['api']);
  assert.equal(names({ states: ['failed', 'ready'] }), ['api', 'web']);
  assert.equal(names({ retrying: true }), ['job']);
  assert.equal(names({ stuckSeconds: 300 }), ['job']);
});

projects('an event concerns a service when it is of the service or its builds', () => {
  const moved = (over: Partial<Instance>) => ({ event: 'instance', data: instance(over) }) as StreamEvent;
  const isOfWeb = ofService('web');
  assert.ok(isOfWeb(moved({ kind: 'CoreApp', name: 'web', columns: {} })));
  assert.ok(isOfWeb(moved({ kind: 'CoreBuild', name: 'web-build-1', columns: { app: 'web' } })));
  assert.not.ok(isOfWeb(moved({ kind: 'CoreDatabase', name: 'web', columns: {} })));
  assert.ok(ofKinds('CoreProject')(moved({ kind: 'CoreProject' })));
  assert.not.ok(isOfWeb({ event: 'tick', data: { now: '' } }));
});

projects('a project page offers the commands that show and deploy its services', async () => {
  assert.is(statusCommand(place), 'core status --project shop --environment production');
  assert.is(deployCommand(place), 'core deploy --project shop --environment production --wait');
  for (const text of [statusCommand(place), deployCommand(place)]) {
    const [, ...words] = text.split(' ');
    const shell = terminal({ env: { CORE_URL: 'http://127.0.0.1:1', CORE_TOKEN: 't' } });
    assert.match((await shell.core(words)).err, 'could not reach http://127.0.0.1:1', text);
    shell.clean();
  }
});

projects('a new service is named after its image or repository until a name is entered', () => {
  const named = (change: Partial<NewService>) => withChange(emptyService, change).name;
  assert.equal(
    ['registry.example.com:5000/team/Web_App:1.0', 'nginx@sha256:0123', '7zip', 'a/', 'x'.repeat(40)].map((image) =>
      named({ image }),
    ),
    ['web-app', 'nginx', 'zip', '', 'x'.repeat(36)],
  );
  assert.is(named({ source: 'git', repository: 'https://git.example.com/Demo/hello-world.git' }), 'hello-world');
  const followed = withChange(withChange(emptyService, { image: 'team/web:1' }), { image: 'team/web-two:1' });
  assert.is(followed.name, 'web-two');
  for (const name of ['mine', '']) {
    const typed = withChange(followed, { name });
    assert.is(withChange(typed, { image: 'team/other' }).name, name, 'the entered name is kept');
  }
  assert.is(stepProblem('settings', followed), null);
  assert.is(portWord(emptyService), '8080, the default');
});

projects('a new service names missing fields, and its request, command and manifest agree', () => {
  assert.equal(stepProblem('source', emptyService), { field: 'image', text: 'Type the image to run.' });
  assert.equal(stepProblem('source', { ...emptyService, source: 'git' }), {
    field: 'repository',
    text: 'Type the repository, such as owner/name.',
  });
  const wrong = (change: object) => {
    const { field = '', text = '' } = stepProblem('settings', { ...firstService, ...change }) ?? {};
    return `${field}: ${text}`;
  };
  assert.match(wrong({ name: 'Web' }), /^name: .*lowercase/);
  assert.match(wrong({ port: '70000' }), /^port: .*65535/);
  assert.is(stepProblem('settings', firstService), null);
  const body = newServiceBody(firstService, place, 'deploy');
  assert.equal(body, { ...place, name: 'web', image: firstService.image, port: 80, deploy: true });
  assert.is(
    createCommand(firstService, place),
    `core apps create web --image ${firstService.image} --port 80 --project shop --environment production --deploy`,
  );
  assert.match(createCommand({ ...firstService, image: "it's" }, place), /--image 'it'\\''s'/);
  const manifest: unknown = JSON.parse(manifestOf(firstService, place, 'core-system'));
  assert.equal((manifest as { spec: object }).spec, {
    ...place,
    source: { image: firstService.image },
    port: 80,
    deploy: { enabled: true },
  });
});

projects('service settings send only changed fields, with autoscaling as one object', () => {
  const before = { replicas: '1', autoscaling: '', min: '', max: '', cpuPercent: '', host: '', tls: '' };
  const body = (change: Readonly<Record<string, string>>) =>
    changedBody(atOnceFields, before, { ...before, ...change });
  assert.equal(body({}), {});
  assert.equal(body({ replicas: '3', tls: 'on' }), { replicas: 3, tls: true });
  assert.equal(body({ autoscaling: 'on', min: '2', max: '6' }), { autoscaling: { enabled: true, min: 2, max: 6 } });
  const on = { ...before, autoscaling: 'on', min: '2' };
  assert.equal(changedBody(atOnceFields, on, before), { autoscaling: null });
  assert.equal(changedBody(onDeployFields, { port: '80' }, { port: '' }), { port: null });
});

projects.run();

import * as assert from 'uvu/assert';
import { authSecret } from '../../../http/auth/directory.ts';
import { movedOn, offeredWords, unsaved } from '../../../http/dashboard/model/form.ts';
import { bodyShown, maxCodeBytes, codeProblem, triggerProblem } from '../../../http/dashboard/model/functionCode.ts';
import {
  allowable,
  generalBody,
  networkBody,
  networkShown,
  networkValues,
} from '../../../http/dashboard/pages/projectSettings/model.ts';
import { environmentGoes, projectGoes } from '../../../http/dashboard/pages/projectSettings/text.ts';
import { serviceGoes } from '../../../http/dashboard/pages/service/settings/text.ts';
import { atOnceFields, onDeployFields } from '../../../http/dashboard/model/settingFields.ts';
import { changedBody, fieldsProblem, shownFields, valuesOf } from '../../../http/dashboard/model/settings.ts';
import { ofRecords } from '../../../http/dashboard/kindPages/service/concerns.ts';
import { awakeBecause, sleepBlockerOf, sleepRefused, type SleepSeen } from '../../../rules/service/sleep.ts';
import type { AppSpec } from '../../../crds/coreApp.ts';
import type { CoreCluster } from '../../../crds/coreCluster.ts';
import type { StreamEvent } from '../../../http/api.ts';
import { sleepOf } from '../../../http/dashboard/pages/service/overview/text.ts';
import { tokenCommand } from '../../../http/dashboard/pages/service/code/text.ts';
import { authSecretName, roleMeans, userCommands } from '../../../http/dashboard/pages/users/text.ts';
import { changesOfShared } from '../../../http/dashboard/model/variables.ts';
import { triggerSecretName, triggerToken } from '../../../rules/function/names.ts';
import { suite } from '../../support/suite.ts';
import { summary } from './summary.ts';

const settings = suite('service settings pages');

const read = (spec: Readonly<Record<string, unknown>>) => ({ resource: summary('web'), spec, status: {} });

settings('scaleToZero is sent as on or off, and its limits are shown while it is on', () => {
  const before = valuesOf(atOnceFields, read({}));
  const shown = (values: Readonly<Record<string, string>>) => shownFields(atOnceFields, values).map(({ name }) => name);
  assert.not.ok(shown(before).includes('idleSeconds'));
  const after = { ...before, scaleToZero: 'on', idleSeconds: '60' };
  assert.ok(shown(after).includes('idleSeconds'));
  assert.equal(changedBody(atOnceFields, before, after), { scaleToZero: 'on', idleSeconds: 60 });
  assert.equal(changedBody(atOnceFields, after, { ...after, scaleToZero: '' }), { scaleToZero: 'off' });
  assert.is(
    fieldsProblem(atOnceFields, before, { ...after, idleSeconds: 'soon' }),
    'Asleep after seconds must be a whole number.',
  );
});

settings('resource amounts are saved together and removed only together', () => {
  const before = valuesOf(onDeployFields, read({ resources: { requests: { cpu: '250m', memory: '1Gi' } } }));
  assert.equal(changedBody(onDeployFields, before, { ...before, memoryLimit: '2Gi' }), {
    resources: { requests: { cpu: '250m', memory: '1Gi' }, limits: { memory: '2Gi' } },
  });
  const none = { ...before, cpu: '', memory: '' };
  assert.equal(changedBody(onDeployFields, before, none), { resources: null });
  assert.is(fieldsProblem(onDeployFields, before, none), null);
  assert.match(String(fieldsProblem(onDeployFields, before, { ...before, cpu: '' })), /taken away alone/);
});

settings('a list of words is edited as one field', () => {
  const before = valuesOf(onDeployFields, read({ sharedVariableRefs: ['API_URL'] }));
  assert.is(before['sharedVariableRefs'], 'API_URL');
  assert.equal(changedBody(onDeployFields, before, { ...before, sharedVariableRefs: 'API_URL  LEVEL' }), {
    sharedVariableRefs: ['API_URL', 'LEVEL'],
  });
});

settings('a value changed elsewhere is named, and unsaved input is kept', () => {
  const before = { replicas: '1', host: 'a.example', tls: '' };
  const typed = { ...before, replicas: '3' };
  const server = { ...before, replicas: '2', tls: 'on' };
  assert.equal(unsaved(before, typed), ['replicas']);
  assert.is(offeredWords(atOnceFields, movedOn(before, server)), 'Copies is now 2, Serve over HTTPS is now on');
  assert.is(offeredWords(atOnceFields, movedOn(before, { ...before, host: '' })), 'Host is now empty');
});

settings('a service shows whether it sleeps and how to fix what prevents sleeping', () => {
  const asked = { idleSeconds: 60, maxReplicas: null };
  assert.is(sleepOf({ sleeping: false, scaleToZero: null }), null);
  assert.is(sleepOf({ sleeping: true, scaleToZero: { ...asked, active: true } })?.label, 'Asleep');
  assert.is(
    sleepOf({ sleeping: false, scaleToZero: { ...asked, active: true } })?.text,
    'Falls asleep after 60 seconds without a request.',
  );
  const cannot = sleepOf({
    sleeping: false,
    scaleToZero: { ...asked, active: false, message: 'the service has no public host' },
  });
  assert.equal(cannot, {
    label: 'Cannot sleep',
    text: 'The service has no public host. Set a host in the settings of the service.',
    isOfCluster: false,
  });
  assert.is(sleepOf({ sleeping: false, scaleToZero: asked })?.label, 'Requested');
});

settings('a sleep blocker is recognised by the message of its rule', () => {
  const spec = { scaleToZero: { enabled: true }, autoscaling: { enabled: true } } as AppSpec;
  const serverless = (on: boolean) => ({ spec: { addons: { serverless: on } } }) as CoreCluster;
  const blockerOf = (of: Partial<SleepSeen>) =>
    sleepBlockerOf(awakeBecause({ spec, cluster: serverless(true), isServed: true, host: 'a.example', ...of }) ?? '');
  assert.equal([{ cluster: serverless(false) }, { isServed: false }, { host: '' }, {}].map(blockerOf), [
    'addOnOff',
    'addOnNotServed',
    'noHost',
    'autoscaling',
  ]);
  assert.is(sleepBlockerOf(sleepRefused), 'addOnRefused');
  assert.is(sleepBlockerOf('no host of this name'), null);
});

settings('deployments are read anew after events of their service or a deleted record', () => {
  const concerns = ofRecords('web');
  const record = (name: string, app?: string) => ({
    kind: 'CoreDeployment',
    name,
    ...(app === undefined ? {} : { columns: { app } }),
  });
  const at = (event: string, data: object) => concerns({ event, data } as StreamEvent);
  assert.is(at('instance', record('web-1', 'web')), true);
  assert.is(at('instance', record('web-app-1', 'web-app')), false, 'a name that begins like the service');
  assert.is(at('deleted', record('web-1')), true);
  assert.equal(
    [true, false].map((deleted) => at('change', { ...record('web-1'), deleted })),
    [true, false],
  );
});

settings('code is limited in bytes, and a schedule needs five fields', () => {
  assert.is(codeProblem('a'.repeat(maxCodeBytes)), null);
  assert.match(String(codeProblem('a'.repeat(maxCodeBytes + 1))), /at most 120000/);
  assert.match(String(codeProblem('ü'.repeat(maxCodeBytes / 2 + 1))), /120002 bytes/);
  assert.is(triggerProblem('nightly', '0 3 * * *'), null);
  assert.match(String(triggerProblem('nightly', '0 0 3 * * *')), /five fields/);
  assert.match(String(triggerProblem('Nightly', '0 3 * * *')), /lowercase/);
  assert.is(bodyShown('{"a":1}'), '{\n  "a": 1\n}');
  assert.is(bodyShown('plain <b>text</b>'), 'plain <b>text</b>');
});

settings('the token of a function is shown as a kubectl command that reads its Secret', () => {
  const command = tokenCommand(summary('greet'));
  assert.match(command, `secret ${triggerSecretName('greet')} -n shop-production`);
  assert.match(command, triggerToken);
});

settings('the network form has a switch, and a list of projects that is shown with the switch on', () => {
  const values = networkValues(read({ network: { isolation: 'None', allowFromProjects: ['proj-2'] } }));
  assert.equal(values, { private: '', allowed: 'proj-2' });
  assert.equal(
    networkShown(values).map(({ name }) => name),
    ['private'],
  );
  assert.equal(networkBody({ ...values, private: 'on' }), {
    network: { isolation: 'Project', allowFromProjects: ['proj-2'] },
  });
  assert.is(networkValues(read({}))['private'], 'on');
  const other = summary('proj-2', { displayName: 'pay' });
  assert.equal(allowable('proj-1', ['proj-2', 'proj-9'], [summary('proj-1'), other]), [
    { id: 'proj-2', label: 'pay' },
    { id: 'proj-9', label: 'not found' },
  ]);
  assert.equal(generalBody(['region'], { displayName: 'a', region: ' eu ' }), { region: 'eu' });
});

settings('a deletion names and counts the deleted objects', () => {
  const services = ['a', 'b'].map((name) => summary(name));
  const held = {
    services,
    databases: [],
    variables: [{ name: 'LEVEL', environment: 'production', kind: 'config' as const }],
  };
  assert.equal(environmentGoes('shop-production', held), [
    '2 services: a, b',
    '1 shared variable: LEVEL',
    'the namespace shop-production, if Core made it',
  ]);
  assert.is(projectGoes(['production', 'staging'], held)[0], '2 environments: production, staging');
  assert.equal(serviceGoes(summary('web', { url: 'https://web.example' }), { builds: [], deployments: [] }), [
    'every copy of it, with its variables and secrets',
    'its address https://web.example',
  ]);
});

settings('shared variables are saved with their environment, and a secret with its flag', () => {
  const row = { id: 1, name: 'KEY', kind: 'secret' as const, value: 'hush', saved: null, isRemoved: false };
  assert.equal(changesOfShared({ project: 'shop', environment: 'production' }, [row]), [
    {
      key: 'KEY',
      request: {
        method: 'POST',
        path: '/api/v1/projects/shop/variables/set',
        body: { environment: 'production', name: 'KEY', value: 'hush', secret: true },
      },
    },
  ]);
});

settings('users are changed by the shown kubectl commands on the Secret of the server', () => {
  assert.is(authSecretName, authSecret);
  const [add] = userCommands('core-system', authSecretName);
  assert.match(String(add?.command), 'kubectl patch secret core-dashboard-auth -n core-system');
  assert.match(roleMeans('viewer'), /Changes nothing/);
});

settings.run();

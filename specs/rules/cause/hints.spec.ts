import * as assert from 'uvu/assert';
import type { StoredCause } from '../../../crds/cause.ts';
import { type HintedObject, hintOf } from '../../../rules/cause/hints.ts';
import { hidden, sentence, textFor, toViewers } from '../../../rules/words.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('hints of causes');

const deployment = { kind: 'Deployment', name: 'web', namespace: 'shop-production' };
const web: HintedObject = {
  kind: 'CoreApp',
  name: 'web',
  port: 3000,
  git: { repository: 'demo/hello', branch: 'trunk' },
  gitUrl: 'https://git.example/',
};
const cause = (reason: string, fields: Partial<StoredCause> = {}): StoredCause => ({
  of: 'Ready',
  reason,
  severity: 'failure',
  message: '',
  on: deployment,
  since: '',
  ...fields,
});
const hint = (of: StoredCause, owner = web, view: 'whole' | 'viewer' | 'observer' = 'whole') =>
  textFor(hintOf(owner, of), view);

const texts: readonly (readonly [of: StoredCause, text: string])[] = [
  [cause('ImagePullFailed'), "Check the image's name and tag, and the registry's credentials."],
  [cause('CrashLoop'), 'Read the log: core logs web'],
  [cause('ProbeFailing'), 'See whether it listens on port 3000.'],
  [cause('RolloutPaused'), 'kubectl rollout resume deployment/web -n shop-production'],
  [cause('ScaledToZero'), 'core scale web 1'],
  [cause('FirstPushAwaited'), 'git push https://git.example/demo/hello.git HEAD:trunk'],
  [
    cause('SecretMissing', { on: { kind: 'Secret', name: 'token', namespace: 'shop' } }),
    'kubectl create secret generic token -n shop, or set the variable.',
  ],
  [
    cause('KeyMissing', { on: { kind: 'ConfigMap', name: 'flags', namespace: 'shop' } }),
    'kubectl edit configmap flags -n shop to add the key, or set the variable.',
  ],
  [cause('SpecInvalid'), 'Correct what the message names.'],
  [cause('RegistryMissing'), 'Set the registry of the platform, or one for this service.'],
  [cause('ChecksFailed'), 'Fix the failed check and push again.'],
  [cause('CopiesStarting'), ''],
  [cause('SomethingLater'), ''],
  [cause('CrashLoop', { gaveUp: true, resolved: true }), 'That is over: Retry.'],
];
for (const [of, text] of texts)
  spec(`${of.reason}${of.resolved ? ', over' : ''}: ${text || 'no hint'}`, () => {
    assert.is(hint(of), text);
  });

spec('the hint of GitHostRefused is by the status', () => {
  const answered = (status: string) => {
    const { text, params } = sentence('Git host API returned {status} for {repository}', {
      status: toViewers(status),
      repository: hidden('demo/hello'),
    });
    return hint(cause('GitHostRefused', { message: text, params }));
  };
  assert.match(answered('401 Unauthorized') ?? '', /credentials/);
  assert.match(answered('403 Forbidden') ?? '', /^Permit /);
  assert.match(answered('404 Not Found') ?? '', /name of the repository/);
  assert.match(answered('500') ?? '', /^Check the Git host connection/);
});

spec('a cause of another object has the hint of its root, and names no command of the object that waits', () => {
  const root = { kind: 'StatefulSet', name: 'db', namespace: 'shop-production', reason: 'CrashLoop' };
  const waiting = cause('DatabaseNotReady', {
    on: { kind: 'CoreDatabase', name: 'db', namespace: 'core-system' },
    root,
  });
  assert.is(hint(waiting), 'Read the log: kubectl logs statefulset/db -n shop-production');
});

spec('AUT-033 a hint names no repository and no Secret to those who may not read them', () => {
  assert.is(hint(cause('FirstPushAwaited'), web, 'observer'), 'git push … HEAD:trunk');
  const missing = cause('SecretMissing', { on: { kind: 'Secret', name: 'token', namespace: 'shop' } });
  assert.is(hint(missing, web, 'observer'), 'kubectl create secret generic … -n shop, or set the variable.');
});

spec('without the address of the Git host the push names none', () => {
  assert.is(hint(cause('FirstPushAwaited'), { ...web, gitUrl: '' }), 'git push <url> HEAD:trunk');
});

spec.run();

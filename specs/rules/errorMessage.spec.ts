import * as assert from 'uvu/assert';
import { errorMessage } from '../../rules/errorMessage.ts';
import { ActionFailed } from '../../runtime/contract/lifecycle.ts';
import { NotFound, Unavailable } from '../../runtime/services/cluster/cluster.ts';
import { suite } from '../support/suite.ts';

const spec = suite('errorMessage');

spec('the message of every error is its text, or its name and its subject', () => {
  const failed = new ActionFailed({ action: 'createJob', retry: 'waiting', message: 'no builder' });
  assert.equal(
    [
      errorMessage(new Unavailable({ message: 'no answer' })),
      errorMessage(failed),
      errorMessage(new NotFound({ what: 'pods/a' })),
      errorMessage(new TypeError()),
      errorMessage('ended'),
    ],
    ['no answer', 'no builder', 'NotFound: pods/a', 'TypeError', 'ended'],
  );
});

spec.run();

import * as assert from 'uvu/assert';
import type { Identity, Machine } from '../../../http/api.ts';
import { actionsOf } from '../../../http/dashboard/kindPages/build/actions.ts';
import { reader } from '../../../http/dashboard/store/session.ts';
import { suite } from '../../support/suite.ts';

const asks = suite('actions of builds');

const identity: Identity = {
  username: 'ada',
  role: 'admin',
  scope: 'workspace',
  canMutate: true,
  canReadSensitive: true,
  authentication: 'session',
};
const signIn = (canMutate: boolean) => (reader.value = { is: 'signedIn', identity: { ...identity, canMutate } });

const machine: Machine = {
  name: 'build',
  kinds: ['CoreBuild'],
  initial: 'Pending',
  states: [],
  events: [],
  rows: [
    {
      id: 'BLD-168',
      from: ['Pending', 'Running'],
      event: 'cancelAsked',
      when: 'asked to cancel',
      to: 'Cancelled',
      does: [],
      ensures: [],
      look: '',
      source: '',
      status: 'stated',
      line: 1,
    },
  ],
  asked: [],
  counts: {},
  retrying: 0,
};

const asked = (state: string, current = true) => {
  const build = { name: 'shop-build-1', app: 'shop', state, current };
  return Object.fromEntries(
    actionsOf(build, machine).map(({ label, refused, warning }) => [label.split(' ')[0], { refused, warning }]),
  );
};

asks.before.each(() => {
  signIn(true);
});

asks('a running build offers rebuild and cancel with a warning of what is deleted', () => {
  const { Rebuild, Cancel } = asked('Running');
  assert.is(Rebuild?.refused, undefined);
  assert.is(Cancel?.refused, undefined);
  assert.match(Rebuild?.warning ?? '', 'Job is deleted');
  assert.match(Cancel?.warning ?? '', 'Job of this run is deleted');
});

asks('a rebuild warns of the lost digest only when the build has one', () => {
  assert.match(asked('Succeeded')['Rebuild']?.warning ?? '', 'digest');
  assert.is(asked('Pending')['Rebuild']?.warning, undefined);
  assert.is(asked('Pending')['Cancel']?.warning, undefined);
});

asks('a finished build cannot be cancelled', () => {
  assert.is(asked('Succeeded')['Cancel']?.refused, 'The build has already finished, so there is nothing to cancel');
});

asks('an older build offers no action and gives the reason', () => {
  const { Rebuild, Cancel } = asked('Running', false);
  assert.match(Rebuild?.refused ?? '', 'Rebuild the current one');
  assert.match(Cancel?.refused ?? '', 'Rebuild the current one');
});

asks('a reader without permissions gets the reason', () => {
  signIn(false);
  assert.match(asked('Running')['Cancel']?.refused ?? '', 'read-only');
});

asks.run();

import * as assert from 'uvu/assert';
import { kinds } from '../../../crds/kinds.ts';
import { tables } from '../../../machines/tables.ts';
import { healthOf } from '../../../rules/health/health.ts';
import { kindHealth } from '../../../rules/health/kinds.ts';
import { suite } from '../../support/suite.ts';
import { healthObjects, healthStates } from './states.ts';

const spec = suite('the health of an object');

/** Machines whose states no health depends on: those that move beside the state of an object, or no object at all. */
const beside = `addressLockout dashboardDomainReady dashboardSession databaseBackup deployWait deviceSignIn
  dnsProviderReady draftDeploy managedDatabase nameLockout pullRequestEnvironment sleepSetting token webhookDelivery`.split(
  /\s+/,
);

spec('decision 169: every state of every machine of an object has a health', () => {
  for (const [machine, { states }] of Object.entries(tables)) {
    const given = new Set(healthStates.filter((one) => one.machine === machine).map(({ state }) => state));
    given.delete('(none)');
    assert.equal([...given].toSorted(), beside.includes(machine) ? [] : [...states].toSorted(), machine);
  }
});

spec('decision 169: every kind that is moved has a health', () => {
  const moved = kinds.map(({ kind }) => kind).filter((kind) => kind !== 'CoreNetworkLog');
  assert.equal(Object.keys(kindHealth).toSorted(), moved.toSorted());
  assert.equal([...new Set(healthStates.map(({ kind }) => kind))].toSorted(), moved.toSorted());
});

spec('decision 169: an object is as healthy as its state, and done only for a generation that was decided over', () => {
  for (const { kind, name, object, is } of healthObjects)
    assert.is(healthOf(object, kindHealth[kind]).status, is, name);
});

spec('decision 169: Failed is said only where a table says that the state rests until somebody acts', () => {
  const given = healthStates
    .filter(({ health }) => health === 'Failed')
    .map(({ machine, state }) => `${machine} ${state}`);
  assert.equal([...new Set(given)].toSorted(), [
    'build Cancelled',
    'build Failed',
    'database ProvisionFailed',
    'logicalDatabase ProvisionFailed',
    'objectStore ProvisionFailed',
    'projectReady ProvisionFailed',
    'provisionRetry ProvisionFailed',
    'service ProvisionFailed',
  ]);
});

spec('the message is what Ready says, or the phase, or that there is no state yet', () => {
  const messageOf = (status: object) =>
    healthOf({ metadata: { generation: 2 }, status: { observedGeneration: 2, ...status } }, kindHealth.CoreApp).message;
  const conditions = [{ type: 'Ready', status: 'False', message: 'Service is starting' }];
  assert.is(messageOf({ phase: 'Provisioning', conditions }), 'Service is starting');
  assert.is(messageOf({ phase: 'Provisioning' }), 'Provisioning');
  assert.is(messageOf({}), 'It has no state yet');
});

spec.run();

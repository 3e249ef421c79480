import * as assert from 'uvu/assert';
import { conditionIn, objectOf, pause, seconds, untilCondition } from '../../core.ts';
import { otherImages } from '../../images.ts';
import { machineOf, needsMachine, type Steps } from '../../step.ts';
import { installed } from '../install.ts';
import { applyAll } from '../objects.ts';
import { databaseOf, postgres, projectObject } from './objects.ts';

const requested = 'a database is requested before its operator is installed';
export const operatorCame = 'CloudNativePG and Postgres are installed';

/** Longer than a database is given before Core gives it up. */
const withoutMs = 135_000;

let [requestedAt, operatorAt] = [0, 0];

/** A project, and a database that nothing in the cluster can run yet. */
export const beforeOperator: Steps = (cluster) => [
  {
    scenario: 'databases',
    title: requested,
    after: [installed],
    lacks: () => needsMachine(cluster),
    run: async () => {
      await machineOf(cluster).up('volumes', '24');
      await applyAll(cluster, projectObject(), postgres('late'));
      requestedAt = Date.now();
      return 'late, with the project shop';
    },
  },
];

export const operator: Steps = (cluster) => [
  {
    scenario: 'databases',
    title: `without its operator the database waits for ${withoutMs / 1_000} s and is not given up`,
    after: [requested],
    run: async () => {
      await pause(Math.max(0, requestedAt + withoutMs - Date.now()));
      const late = await objectOf(cluster, databaseOf('late'));
      const { message = '' } = conditionIn(late, 'Ready') ?? {};
      const phase = late?.status?.phase ?? '';
      assert.not.equal(phase, 'ProvisionFailed', `given up: ${message}`);
      assert.match(message, /is not installed in this cluster/);
      return `${phase}: ${message}`;
    },
  },
  {
    scenario: 'databases',
    title: operatorCame,
    after: [requested],
    run: async () => {
      const machine = machineOf(cluster);
      await otherImages(machine);
      await machine.up('cnpg');
      operatorAt = Date.now();
      return 'CloudNativePG 1.30, Postgres 15 with barman-cloud';
    },
  },
];

/** The database that waited is made. */
export const afterOperator: Steps = (cluster) => [
  {
    scenario: 'databases',
    title: 'the database that waited is Ready after its operator came',
    after: [operatorCame],
    run: async () => {
      await untilCondition(cluster, databaseOf('late'), { withinMs: 90_000 });
      return `late Ready ${seconds(Date.now() - operatorAt)} after it`;
    },
  },
];

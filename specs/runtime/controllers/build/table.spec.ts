import * as assert from 'uvu/assert';
import type { Row } from '../../../../machines/table.ts';
import { ensures } from '../../../../runtime/controllers/build/ensures.ts';
import { buildActions } from '../../../../runtime/controllers/build/actions.ts';
import { tableOf } from '../../../check/check.ts';
import { suite } from '../../../support/suite.ts';

const spec = suite('build table');
const table = tableOf('build');

spec('creation and deletion are rows apart from the arrows', () => {
  assert.equal(
    table.absence.map(({ id, from, to }) => [id, from.join(' '), to]),
    [
      ['BLD-146', '(none)', 'Pending'],
      ['BLD-176', 'Succeeded Failed FailedBeforeJob Cancelled', '(deleted)'],
    ],
  );
});

spec('the controller has exactly the actions and ensures of the table', () => {
  const named = (of: (row: Row) => readonly string[]) => [...new Set(table.rows.flatMap(of))].toSorted();
  assert.equal(
    named(({ does }) => does),
    Object.keys(buildActions({ builderImage: '', gitImage: '', gitUrl: '' })).toSorted(),
  );
  assert.equal(
    named((row) => row.ensures),
    Object.keys(ensures).toSorted(),
  );
});

spec.run();

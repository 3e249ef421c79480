import { partOf, sliceOf } from './slice.ts';
import { appSubject } from './subjects/app.ts';
import { connectionSubject } from './subjects/connection.ts';
import { managedDatabaseSubject } from './subjects/managedDatabase.ts';

const spec = sliceOf(
  'faults: a slice of the plans of services, connections and managed databases',
  [partOf(appSubject, 4), connectionSubject, partOf(managedDatabaseSubject, 3)],
  8_000,
);

spec.run();

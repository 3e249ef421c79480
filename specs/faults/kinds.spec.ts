import { sliceOf } from './slice.ts';
import { appSubject } from './subjects/app.ts';
import { connectionSubject } from './subjects/connection.ts';

const spec = sliceOf(
  'faults: a slice of the plans of services and connections',
  [appSubject, connectionSubject],
  1_000,
);

spec.run();

import { sliceOf } from './slice.ts';
import { cloudConnectionSubject } from './subjects/cloudConnection.ts';

const spec = sliceOf(
  'faults: a slice of the plans of cloud connections and backup storage',
  [cloudConnectionSubject],
  150,
);
spec.run();

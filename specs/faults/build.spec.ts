import { partOf, sliceOf } from './slice.ts';
import { buildSubject } from './subjects/build.ts';

const spec = sliceOf('faults: a slice of the plans of the build', [partOf(buildSubject, 2)], 1_600);

spec.run();

import { sliceOf } from './slice.ts';
import { buildSubject } from './subjects/build.ts';

sliceOf('faults: a slice of the plans of the build', [buildSubject], 40);

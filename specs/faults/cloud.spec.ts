import { sliceOf } from './slice.ts';
import { cloudConnectionSubject } from './subjects/cloudConnection.ts';
import { objectStoreSubject } from './subjects/objectStore.ts';

const subjects = [cloudConnectionSubject, objectStoreSubject];
const spec = sliceOf('faults: a slice of the plans of clouds and object stores', subjects, 4_000);
spec.run();

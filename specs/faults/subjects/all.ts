import { buildSubject } from './build.ts';
import type { FaultSubject } from './subject.ts';

/** Everything that is put through the product of plans. */
export const subjects: readonly FaultSubject[] = [buildSubject];

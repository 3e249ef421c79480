import { moves } from './moves.ts';
import type { AdmissionObject } from './policy.ts';
import { requiredNodeTags } from './requiredNodeTags.ts';

/** What every installation, embedded or not, holds writes to. */
export const admission: readonly AdmissionObject[] = [...requiredNodeTags, ...moves];

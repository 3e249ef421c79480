import { deletions } from './deletions.ts';
import { moves } from './moves.ts';
import type { AdmissionObject } from './policy.ts';
import { requiredNodeTags } from './requiredNodeTags.ts';

/** The admission policies of every installation, embedded or not. */
export const admission: readonly AdmissionObject[] = [...requiredNodeTags, ...moves, ...deletions];

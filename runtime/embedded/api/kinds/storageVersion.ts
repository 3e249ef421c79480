import { createHash } from 'node:crypto';
import type { CustomParts } from './type.ts';

const hashBytes = 8;

/** Changes when objects of a kind are stored in another version: clients that migrate them read it. */
export const storageVersionHash = ({ group, version, kind }: CustomParts['storage']): string =>
  createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, hashBytes).toString('base64');

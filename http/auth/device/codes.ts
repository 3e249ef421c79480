import { createHash } from 'node:crypto';
import type { Random } from '../tokens/text.ts';

/** No vowels, so that a code never spells a word (document 002, Device sign-in request). */
const consonants = 'BCDFGHJKLMNPQRSTVWXZ';
const userCodeLength = 8;
const deviceCodeBytes = 32;
/** Bytes from here on would make some letters more likely than others. */
const fairBytes = Math.floor(256 / consonants.length) * consonants.length;

/** The code that an admin compares and enters, without its hyphen. */
export function drawUserCode(random: Random): string {
  let code = '';
  while (code.length < userCodeLength)
    for (const byte of random(userCodeLength))
      if (byte < fairBytes && code.length < userCodeLength) code += consonants[byte % consonants.length];
  return code;
}

/** `BCDF-GHJK` */
export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/** The code as it was drawn, in whatever form it was entered (decision 115). */
export const enteredUserCode = (text: string): string => text.replaceAll(/[\s-]/g, '').toUpperCase();

/** The secret that only the device knows, and polls with. */
export const drawDeviceCode = (random: Random): string => random(deviceCodeBytes).toString('base64url');

/** The key of a request, so that no code is ever compared letter by letter. */
export const digestOf = (deviceCode: string): string => createHash('sha256').update(deviceCode).digest('hex');

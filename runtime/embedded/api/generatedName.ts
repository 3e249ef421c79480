import { randomInt } from 'node:crypto';

const letters = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const longestName = 63;

/** Five letters of chance, none of which spell a word. */
export const suffix = () => Array.from({ length: suffixLength }, () => letters[randomInt(letters.length)]).join('');

/** A new name that begins as asked and ends in five letters of chance. */
export const generatedName = (prefix: string): string => `${prefix.slice(0, longestName - suffixLength)}${suffix()}`;

/** Text of letters that spell no words, one for each character. */
export const safeEncoded = (text: string): string =>
  text.replace(/./g, (character) => letters[character.charCodeAt(0) % letters.length] ?? '');

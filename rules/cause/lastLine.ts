import { causeLength } from '../../crds/cause.ts';
import { levelOf } from '../serviceLog/level.ts';
import { endBefore, inOneLine } from './oneLine.ts';

/** The shortest value of a Secret that is masked; shorter ones stand in too many words. */
const secretFrom = 6;
/** No more of a termination message is read; the kubelet keeps 4096 bytes. */
const readUpTo = 8_192;

const isMaskable = (value: string): boolean => value.length >= secretFrom;

const escapes = new RegExp(`${String.fromCharCode(0x1b)}(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\u0007]*\\u0007|.)`, 'g');
const credentials = /([a-z][a-z0-9+.-]*:\/\/)?[^\s:/@"']+:[^\s/@"']+@/gi;

/**
 * The line of a termination message that tells most: the last one that is an error, else the last. Escape sequences
 * and control characters go, and every secret becomes `***`; at most 300 characters stay. Empty when nothing is left.
 */
export function lastLine(message: string, secrets: readonly string[]): string {
  const text = message.slice(-readUpTo).replace(escapes, '');
  const lines = masked(withoutTail(text, secrets), secrets)
    .split(/\r\n|\r|\n/)
    .map((line) => inOneLine(line).trim())
    .filter((line) => line !== '');
  const line = lines.findLast((one) => levelOf(one) === 'error') ?? lines.at(-1) ?? '';
  return line.length <= causeLength ? line : `${line.slice(0, endBefore(line, causeLength - 1))}…`;
}

/** A termination message may begin in the middle of a secret, of which only the end is left. */
function withoutTail(text: string, secrets: readonly string[]): string {
  const tail = (secret: string): number => {
    for (let length = secret.length - 1; length > 0; length--)
      if (text.startsWith(secret.slice(-length))) return length;
    return 0;
  };
  const longest = Math.max(0, ...secrets.filter(isMaskable).map(tail));
  return longest === 0 ? text : `***${text.slice(longest)}`;
}

/** A text without the values of Secrets, longest first, and without credentials in addresses. */
export function masked(text: string, secrets: readonly string[]): string {
  const values = secrets.flatMap((value) => [value, ...value.split(/\r\n|\r|\n/)]).filter(isMaskable);
  const longestFirst = [...new Set(values)].toSorted((one, other) => other.length - one.length);
  return longestFirst
    .reduce((rest, value) => rest.replaceAll(value, '***'), text)
    .replace(credentials, (_, scheme: string | undefined) => `${scheme ?? ''}***@`);
}

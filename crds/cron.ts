import { shape } from './kind.ts';

const short = '0?[2469]|11|feb|apr|jun|sep|nov';
const lists = (one: string) => `(${one})(,(${one}))*`;
/** The last days of months that do not have them; another day field may still be due. */
const never = `(?i)^\\s*\\S+\\s+\\S+\\s+(31\\s+${lists(short)}|${lists('30|31|30-31')}\\s+(0?2|feb))\\s+[*]\\s*$`;

export const neverDue = 'must be due at some time: no month has that day';

/** A schedule; one that is never due is refused, because it would fail silently. */
export const cron = (description: string) =>
  shape.text(description, {
    minLength: 1,
    maxLength: 256,
    'x-kubernetes-validations': [{ rule: `!self.matches('${never.replaceAll('\\', '\\\\')}')`, message: neverDue }],
  });

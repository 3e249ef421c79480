import { EvaluationError } from '../evaluate/values.ts';

const known = new Map<string, RegExp>();
const mostKnown = 1000;

/** A pattern of RE2 as an expression of this machine; throws an EvaluationError for one that is none. */
export function matcher(pattern: string): RegExp {
  const found = known.get(pattern);
  if (found) return found;
  const made = compiled(pattern);
  if (known.size >= mostKnown) known.clear();
  known.set(pattern, made);
  return made;
}

/** What only engines that go back know, RE2 does not. */
const foreign = /\(\?<?[=!]/;

/** Why a pattern is none; null for one that is. */
export function patternFault(pattern: string): string | null {
  const ahead = foreign.exec(pattern)?.[0];
  if (ahead !== undefined) return `invalid or unsupported Perl syntax: \`${ahead}\``;
  try {
    translated(pattern);
    return null;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (/Unterminated group/.test(why)) return `missing closing ): \`${pattern}\``;
    if (/Unterminated character class/.test(why))
      return `missing closing ]: \`${pattern.slice(pattern.lastIndexOf('['))}\``;
    if (/Unmatched '\)'/.test(why)) return `unexpected ): \`${pattern}\``;
    if (/Nothing to repeat/.test(why))
      return `missing argument to repetition operator: \`${/[*+?]/.exec(pattern)?.[0] ?? ''}\``;
    return why;
  }
}

function compiled(pattern: string): RegExp {
  const fault = patternFault(pattern);
  if (fault !== null) throw new EvaluationError(`error parsing regexp: ${fault}`);
  return translated(pattern);
}

const classes: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  digit: '0-9',
  lower: 'a-z',
  upper: 'A-Z',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

function translated(pattern: string): RegExp {
  const [, letters = '', rest = pattern] = /^\(\?([ims]+)\)(.*)$/s.exec(pattern) ?? [];
  const source = rest
    .replace(/\[:(\w+):\]/g, (found, name: string) => classes[name] ?? found)
    .replace(/\(\?P</g, '(?<')
    .replace(/\\A/g, '(?<![^])')
    .replace(/\\z/g, '(?![^])')
    .replace(/\\p([A-Z])(?![a-z{])/g, '\\p{$1}')
    // A hyphen, a quote and the like may be escaped anywhere.
    .replace(/\\([-_'"`~!@#%&=:;<>, ])/g, (_, sign: string) => (sign === '-' ? '\\x2d' : sign));
  try {
    return new RegExp(source, `${letters}u`);
  } catch (error) {
    if (!/Invalid escape|Lone quantifier|Incomplete quantifier/.test(String(error))) throw error;
    return new RegExp(source, letters);
  }
}

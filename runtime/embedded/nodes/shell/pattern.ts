/** One step of a pattern: this character, any one, or any number of any. */
type Step = { readonly char: string } | 'one' | 'many';

/** Whether the whole of a text is what a pattern describes; never slower than both lengths together. */
export function fits(pattern: readonly Step[], text: string): boolean {
  let [step, at] = [0, 0];
  let [retryStep, retryAt] = [-1, 0];
  while (at < text.length) {
    const here = pattern[step];
    if (here === 'many') [retryStep, retryAt, step] = [step, at, step + 1];
    else if (here === 'one' || (here !== undefined && here.char === text[at])) [step, at] = [step + 1, at + 1];
    else if (retryStep >= 0) [step, retryAt, at] = [retryStep + 1, retryAt + 1, retryAt + 1];
    else return false;
  }
  while (pattern[step] === 'many') step += 1;
  return step === pattern.length;
}

/** `*` and `?` as in the names of files. */
export const globSteps = (text: string): readonly Step[] =>
  Array.from(text, (char) => (char === '*' ? 'many' : char === '?' ? 'one' : { char }));

/** `.`, `.*`, `^` and `$` as grep has them; null for what is not simulated. */
export function grepSteps(text: string): readonly Step[] | null {
  const isBound = { start: text.startsWith('^'), end: /(^|[^\\])\$$/.test(text) };
  const inner = text.slice(isBound.start ? 1 : 0, isBound.end ? -1 : undefined);
  const steps: Step[] = isBound.start ? [] : ['many'];
  for (const [token] of inner.matchAll(/\\[^]|\.\*|[^]/g)) {
    if (token === '.*') steps.push('many');
    else if (token === '.') steps.push('one');
    else if (token.startsWith('\\') && token.length > 1) {
      if (/\w|[|(){}+?]/.test(token.slice(1))) return null;
      steps.push({ char: token.slice(1) });
    } else if (/[[\]*\\]/.test(token)) return null;
    else steps.push({ char: token });
  }
  return isBound.end ? steps : [...steps, 'many'];
}

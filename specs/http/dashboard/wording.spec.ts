import * as assert from 'uvu/assert';
import { suite } from '../../support/suite.ts';
import { isRefused } from './refused.ts';
import { shownIn, sources } from './texts.ts';

const wording = suite('wording check of the dashboard');

const complaintsOf = (source: string): readonly string[] => shownIn(source).filter(isRefused);

wording('the check finds texts between tags and in attributes, strings and templates', () => {
  const source = "const f = (n: number) => <a title={`Looks again in ${n}`} rel='Took'>Stands\n here</a>;";
  assert.equal(complaintsOf(source), ['Looks again in', 'Took', 'Stands here']);
});

wording('the pages contain no refused wording', () => {
  assert.ok(sources.length > 100, 'the sources are found');
  const complaints = sources.flatMap(([name, text]) => complaintsOf(text).map((said) => `${name}: ${said}`));
  assert.equal(complaints, []);
});

wording.run();

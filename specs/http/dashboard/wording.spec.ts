import * as assert from 'uvu/assert';
import { suite } from '../../support/suite.ts';
import { isRefused } from './refused.ts';
import { shownIn, sources } from './texts.ts';

const wording = suite('the wording of the dashboard');

const complaintsOf = (source: string): readonly string[] => shownIn(source).filter(isRefused);

wording('texts between tags, in attributes, strings and templates are all found', () => {
  const source = "const f = (n: number) => <a title={`Looks again in ${n}`} rel='Took'>Stands\n here</a>;";
  assert.equal(complaintsOf(source), ['Looks again in', 'Took', 'Stands here']);
});

wording('no page says what was found unclear', () => {
  assert.ok(sources.length > 100, 'the sources are found');
  const complaints = sources.flatMap(([name, text]) => complaintsOf(text).map((said) => `${name}: ${said}`));
  assert.equal(complaints, []);
});

wording.run();

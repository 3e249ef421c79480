import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { ownPath } from '../../../http/dashboard/model/ownPath.ts';
import { readRoute } from '../../../http/dashboard/routes.ts';
import { suite } from '../../support/suite.ts';

const paths = suite('redirect after sign-in');

paths('sign-in returns to the requested page with query and fragment', () => {
  for (const path of ['/', '/device?code=BCDF-GHJK', '/builds/a-1?view=log', '/builds/a-1#move-7', '/settings/tokens'])
    assert.is(ownPath(path), path);
});

paths('sign-in does not redirect to another server', () => {
  for (const path of [
    'https://elsewhere.example/',
    '//elsewhere.example',
    '//elsewhere.example/apps',
    '///elsewhere.example',
    '/\\elsewhere.example/apps',
    '/\t/elsewhere.example/apps',
    '/\n/elsewhere.example',
    '/x/..//elsewhere.example',
    '/.//elsewhere.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'elsewhere.example',
    '',
    null,
  ])
    assert.is(ownPath(path), '/', String(path));
});

paths('sign-in redirects only to pages and never to itself', () => {
  for (const path of ['/api/v1/apps', '/api', '/x/../api/logout', '/assets/dashboard.js', '/sign-in?to=/apps'])
    assert.is(ownPath(path), '/', path);
  assert.equal(readRoute('/sign-in', '?to=%2F%2Felsewhere.example'), { is: 'signIn', to: '/' });
  assert.equal(readRoute('/sign-in', '?to=%2Fdevice%3Fcode%3DBCDF-GHJK'), {
    is: 'signIn',
    to: '/device?code=BCDF-GHJK',
  });
  assert.equal(readRoute('/sign-in', ''), { is: 'signIn', to: '/' });
});

const piece = fc.constantFrom(
  '/',
  '\\',
  '.',
  '..',
  ':',
  '@',
  '?',
  '#',
  '%2f',
  '\t',
  'http',
  'evil.example',
  'api',
  'x',
);

paths('the redirect after sign-in has the same origin, for any input', () => {
  const made = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(made, (text) => {
      const to = ownPath(text);
      const { origin } = new URL(to, 'https://core.example');
      assert.is(origin, 'https://core.example');
      assert.match(to, /^\/(?!\/)/);
      assert.is(ownPath(to), to, 'the result is an own path');
    }),
    { numRuns: 1_000 },
  );
});

paths.run();

import { createHash } from 'node:crypto';
import { h, type Markup, whole } from './html.ts';

const shows: readonly (readonly [id: string, label: string])[] = [
  ['all', 'Everything'],
  ['never', 'Never walked'],
  ['inferred', 'Inferred'],
  ['ours', 'Ours'],
];

/** What the reader may show and hide; the style sheet does the rest. */
export const tools = (): Markup =>
  h(
    'form',
    { class: 'tools', 'aria-label': 'Rows to show' },
    h(
      'fieldset',
      {},
      h('legend', { class: 'unseen' }, 'Rows to show'),
      ...shows.map(([id, label], index) =>
        h(
          'label',
          {},
          h('input', { type: 'radio', name: 'show', id: `show-${id}`, checked: index === 0 }),
          h('span', {}, label),
        ),
      ),
    ),
    h(
      'span',
      { class: 'scripted', hidden: true },
      h('input', { type: 'search', id: 'find', placeholder: 'Find in rows', 'aria-label': 'Find in rows' }),
      h('button', { type: 'button', id: 'fold' }, 'Fold all'),
    ),
  );

const script = `
const rows = [...document.querySelectorAll('.row')], parts = [...document.querySelectorAll('.lifecycle')];
const find = document.querySelector('#find'), fold = document.querySelector('#fold');
document.querySelector('.scripted').hidden = false;
find.addEventListener('input', () => {
  const word = find.value.trim().toLowerCase();
  document.body.classList.toggle('finding', word !== '');
  for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(word);
  for (const part of parts) part.hidden = word !== '' && !part.querySelector('.row:not([hidden])');
});
fold.addEventListener('click', () => {
  const open = parts.some((part) => part.open);
  for (const part of parts) part.open = !open;
  fold.textContent = open ? 'Unfold all' : 'Fold all';
});
document.forms[0].addEventListener('submit', (event) => event.preventDefault());
`;

/** Search and folding, for browsers that run scripts. */
export const scripted = (): Markup => whole(`<script>${script}</script>`);

/** The content security policy: the page loads nothing from outside. */
export const policy = (): string => {
  const hash = createHash('sha256').update(script).digest('base64');
  return `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
};

import type { Crumb } from '../../model/crumbs.ts';

/** The way to the page; nothing on the first page of a section. */
export const Breadcrumb = ({ crumbs }: { readonly crumbs: readonly Crumb[] }) =>
  crumbs.length === 0 ? null : (
    <nav class="crumbs" aria-label="Breadcrumb">
      <ol>
        {crumbs.map(({ word, to }, index) => (
          <li key={index}>
            {to === undefined ? (
              <span aria-current={index === crumbs.length - 1 ? 'page' : undefined}>{word}</span>
            ) : (
              <a href={to}>{word}</a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );

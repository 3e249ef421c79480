import type { Crumb } from '../../model/crumbs.ts';

/** The way to the page; nothing on the first page of a section. */
export const Breadcrumb = ({ crumbs }: { readonly crumbs: readonly Crumb[] }) =>
  crumbs.length === 0 ? null : (
    <nav class="crumbs" aria-label="Breadcrumb">
      <ol>
        {crumbs.map(({ label, to }, index) => (
          <li key={index}>
            {to === undefined ? (
              <span aria-current={index === crumbs.length - 1 ? 'page' : undefined}>{label}</span>
            ) : (
              <a href={to}>{label}</a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );

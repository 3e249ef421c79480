import type { InstanceRead } from '../../../api.ts';
import { CopyButton } from '../../components/copy.tsx';
import { isAdmin } from '../../store/session.ts';
import { objectPageOf } from '../../model/objectPages.ts';
import type { Reading } from './reading.ts';

/** The instance: where it belongs, what it is called, and the pages of its object. */
export function InstanceHead({ reading: { id, page, input, instance } }: { readonly reading: Reading }) {
  const name = instance.value?.name;
  const links = input && page ? page.links(input.object) : pagesOf(instance.value);
  const title = (input && page?.title(input.object)) ?? name ?? id;
  return (
    <div class="page-head">
      <div>
        <div class="row">
          <h1>{title}</h1>
          {name !== undefined && title !== name && <span class="muted mono">{name}</span>}
          {name !== undefined && <CopyButton text={name} what={`the name ${name}`} />}
          {input &&
            page?.flags(input.object).map((flag) => (
              <span key={flag} class="flag">
                {flag}
              </span>
            ))}
        </div>
      </div>
      {links.length > 0 && (
        <nav class="row" aria-label="Pages of the object">
          {links.map(({ to, label }) => (
            <a key={to} class="button" href={to}>
              {label}
            </a>
          ))}
        </nav>
      )}
    </div>
  );
}

/** A deleted object has no page any more. */
function pagesOf(instance: InstanceRead | null) {
  const page = instance?.deletedAt === undefined && instance ? objectPageOf(instance, isAdmin()) : null;
  return page === null ? [] : [page];
}

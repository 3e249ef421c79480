import { Frame } from '../../components/frame.tsx';
import { NotFound } from '../../components/gone.tsx';

/** For an address without a page. */
export const UnknownPage = ({ path }: { readonly path: string }) => (
  <Frame title="Not found">
    <div class="stack narrow">
      <h1>Page not found.</h1>
      <NotFound
        what="page"
        name={path.split('/').findLast((part) => part !== '') ?? ''}
        error={`Nothing is at ${path}`}
      />
    </div>
  </Frame>
);

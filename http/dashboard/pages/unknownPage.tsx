import { Frame } from '../parts/frame.tsx';
import { addressOf } from '../routes.ts';

/** For an address without a page. */
export const UnknownPage = ({ path }: { readonly path: string }) => (
  <Frame title="Not found">
    <div class="stack">
      <h1>Page not found</h1>
      <p>
        Nothing is at <code>{path}</code>. The pages there are:
      </p>
      <ul class="stack-tight">
        <li>
          <a href={addressOf.machines()}>Machines</a>
          <span class="muted"> — every lifecycle, with what stands in which state</span>
        </li>
        <li>
          <a href={addressOf.apps()}>Services</a>
          <span class="muted"> — every service with its builds</span>
        </li>
        <li>
          <code>/builds/&lt;name&gt;</code>
          <span class="muted"> — one build, by the name kubectl shows</span>
        </li>
      </ul>
    </div>
  </Frame>
);

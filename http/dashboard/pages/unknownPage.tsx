import { Frame } from '../parts/frame.tsx';
import { addressOf } from '../routes.ts';

/** For an address without a page. */
export const UnknownPage = ({ path }: { readonly path: string }) => (
  <Frame title="Not found">
    <div class="stack">
      <h1>Page not found.</h1>
      <p>
        Nothing is at <code>{path}</code>. The pages there are:
      </p>
      <ul class="stack-tight">
        <li>
          <a href={addressOf.home()}>Home</a>
          <span class="muted"> — what needs attention, and every project</span>
        </li>
        <li>
          <a href={addressOf.services()}>Services</a>
          <span class="muted"> — every service of every project</span>
        </li>
        <li>
          <a href={addressOf.machines()}>State machines</a>
          <span class="muted"> — every lifecycle, with how many objects are in each state</span>
        </li>
        <li>
          <code>/builds/&lt;name&gt;</code>
          <span class="muted"> — one build, by the name kubectl shows</span>
        </li>
      </ul>
    </div>
  </Frame>
);

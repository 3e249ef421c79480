import type { BuildRead } from '../../../api.ts';
import { CopyButton } from '../../parts/copy.tsx';

/** The build as the API answers it. */
export const JsonView = ({ build }: { readonly build: BuildRead }) => {
  const text = JSON.stringify(build, null, 2);
  return (
    <section class="card" aria-label="The build as JSON">
      <div class="card-head">
        <h2>As the API answers it</h2>
        <a
          class="small muted mono"
          href={`/api/v1/builds/${encodeURIComponent(build.name)}`}
          target="_blank"
          rel="noreferrer"
        >
          /api/v1/builds/{build.name}
        </a>
        <span class="row-end">
          <CopyButton text={text} what="the JSON" />
        </span>
      </div>
      <pre class="json" tabIndex={0}>
        {text}
      </pre>
    </section>
  );
};

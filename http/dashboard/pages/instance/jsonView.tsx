import { CopyButton } from '../../components/copy.tsx';

interface JsonViewProps {
  readonly name: string;
  readonly path: string;
  readonly value: unknown;
}

/** A response of the API as JSON. */
export const JsonView = ({ name, path, value }: JsonViewProps) => {
  const text = JSON.stringify(value, null, 2);
  return (
    <section class="card" aria-label={`${name} as JSON`}>
      <div class="card-head">
        <h2>As the API answers it</h2>
        <a class="small mono" href={path} target="_blank" rel="noreferrer">
          {path}
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

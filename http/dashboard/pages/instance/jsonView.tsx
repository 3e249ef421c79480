import { Card } from '../../components/card.tsx';
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
    <Card
      title="API response"
      label={`${name} as JSON`}
      actions={
        <>
          <a class="small mono" href={path} target="_blank" rel="noreferrer">
            {path}
          </a>
          <span class="row-end">
            <CopyButton text={text} what="the JSON" />
          </span>
        </>
      }
    >
      <pre class="json" tabIndex={0}>
        {text}
      </pre>
    </Card>
  );
};

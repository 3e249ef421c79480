import { useSignal } from '@preact/signals';
import { api, pathTo } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { toFirstRow } from '../../components/filter/toFirstRow.ts';
import { Frame } from '../../components/frame.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { useLoaded } from '../../store/loaded.ts';
import { Fields } from './fields.tsx';
import { RouteDocs } from './routeDocs.tsx';
import { type ApiDescription, routesOf } from './description.ts';

/** The description changes only with a release. */
const never = () => false;

/** The API reference from its own description: every route with its callers, its request and its responses. */
export function ApiDocsPage() {
  const loaded = useLoaded(pathTo('GET /openapi.json', {}), never);
  const { value } = loaded;
  return (
    <Frame title="API">
      <div class="stack">
        <div>
          <h1>API</h1>
          {value && (
            <p class="muted">
              Version {value.info.version}, under <code>{value.servers[0]?.url}</code>; as{' '}
              <a href={api.description} target="_blank" rel="noreferrer">
                OpenAPI
              </a>
              . <Marked text={value.info.description} />
            </p>
          )}
        </div>
        <Loaded of={loaded} height={480}>
          {(value) => <Routes description={value} />}
        </Loaded>
      </div>
    </Frame>
  );
}

/** Text with backticks as code. */
const Marked = ({ text }: { readonly text: string }) => (
  <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>
);

function Routes({ description }: { readonly description: ApiDescription }) {
  const search = useSignal('');
  const groups = description.tags
    .map(({ name }) => ({ name, routes: routesOf(description, name, search.value) }))
    .filter(({ routes }) => routes.length > 0);
  return (
    <>
      <input
        type="search"
        class="input"
        aria-label="Search the routes"
        placeholder="Search the routes"
        value={search.value}
        onInput={({ currentTarget }) => (search.value = currentTarget.value)}
        onKeyDown={toFirstRow}
      />
      {groups.length === 0 && <p role="status">No route matches.</p>}
      {groups.map(({ name, routes }) => (
        <Card key={name} title={name}>
          {routes.map((route) => (
            <RouteDocs key={route.operation.operationId} route={route} />
          ))}
        </Card>
      ))}
      <Shapes description={description} />
    </>
  );
}

const Shapes = ({ description }: { readonly description: ApiDescription }) => (
  <Card title="Shapes">
    {Object.entries(description.components.schemas).map(([name, schema]) => (
      <div key={name} class="api-route-body scroll-x" id={`schema-${name}`} tabIndex={0}>
        <h3>{name}</h3>
        {schema.anyOf ? (
          schema.anyOf.map((one, at) => <Fields key={at} schema={one} what={`${name}, one way`} />)
        ) : (
          <Fields schema={schema} what={name} />
        )}
      </div>
    ))}
  </Card>
);

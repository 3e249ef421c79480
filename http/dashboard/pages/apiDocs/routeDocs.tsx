import { Fields, TypeOf } from './fields.tsx';
import type { OperationObject, ParameterObject, ResponseObject, DocumentedRoute } from './description.ts';
import { Table } from '../../components/table/table.tsx';

/** One route; when opened it shows its request, its responses and its callers. */
export const RouteDocs = ({ route: { method, path, operation } }: { readonly route: DocumentedRoute }) => (
  <details class="api-route" id={operation.operationId}>
    <summary>
      <code class="api-method">{method}</code> <code>{path}</code> <span class="muted">{operation.summary}</span>
    </summary>
    <div class="api-route-body">
      {operation.parameters.length > 0 && <Parameters parameters={operation.parameters} />}
      {operation.requestBody && <BodyDocs body={operation.requestBody} />}
      <Responses responses={operation.responses} />
      <Callers callers={operation['x-callers']} />
    </div>
  </details>
);

const Parameters = ({ parameters }: { readonly parameters: readonly ParameterObject[] }) => (
  <>
    <h3>Parameters</h3>
    <Table
      columns={[
        { label: 'Name', cell: ({ name }) => <code>{name}</code> },
        { label: 'In', cell: ({ in: place }) => place },
        {
          label: 'Is',
          cell: ({ schema }) => (
            <>
              <TypeOf schema={schema} />
              {schema.default !== undefined && `, else ${JSON.stringify(schema.default)}`}
            </>
          ),
        },
        { label: 'About', look: 'small muted', cell: ({ description }) => description },
      ]}
      rows={parameters}
      keyOf={({ name }) => name}
      label="Parameters"
      scrolls={false}
    />
  </>
);

function BodyDocs({ body }: { readonly body: NonNullable<OperationObject['requestBody']> }) {
  const [content] = Object.values(body.content);
  return (
    <>
      <h3>Body</h3>
      <p class="small muted">
        As JSON or as a form{body.required ? '' : '; it may be left out'}. Fields that are not listed are refused.
      </p>
      {content && <Fields schema={content.schema} what="Fields of the body" />}
    </>
  );
}

const Responses = ({ responses }: { readonly responses: Readonly<Record<string, ResponseObject>> }) => (
  <>
    <h3>Answers</h3>
    <Table
      columns={[
        {
          label: 'Status',
          cell: ([status]) => (status === 'default' ? 'other' : status),
        },
        { label: 'When', cell: ([, { description }]) => description },
        {
          label: 'With',
          cell: ([status, { content = {} }]) =>
            Object.entries(content).map(([type, { schema }]) => (
              <div key={type}>
                {type === 'application/json' ? (
                  <Fields schema={schema} what={`Answer ${status}`} />
                ) : (
                  <code>{type}</code>
                )}
              </div>
            )),
        },
      ]}
      rows={Object.entries(responses)}
      keyOf={([status]) => status}
      label="Answers"
      scrolls={false}
    />
  </>
);

const granted: Readonly<Record<string, string>> = {
  whole: 'may',
  'own environment': 'may, in the environment of the token',
  observer: 'may, and reads the redacted copy with logs and plain configuration',
  viewer: 'may, and reads the redacted copy',
};

const Callers = ({ callers }: { readonly callers: OperationObject['x-callers'] }) => (
  <>
    <h3>Callers</h3>
    <Table
      columns={[
        { label: 'Who', cell: ([caller]) => caller },
        { label: 'May', cell: ([, grant]) => granted[grant] ?? `is refused with ${grant}` },
      ]}
      rows={Object.entries(callers)}
      keyOf={([caller]) => caller}
      label="Callers"
      scrolls={false}
    />
  </>
);

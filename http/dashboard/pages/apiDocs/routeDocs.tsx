import { Fields, TypeOf } from './fields.tsx';
import type { OperationObject, ParameterObject, ResponseObject, DocumentedRoute } from './description.ts';
import { Columns } from '../../components/columns.tsx';

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
    <table aria-label="Parameters">
      <Columns names={['Name', 'In', 'Is', 'About']} />
      <tbody>
        {parameters.map(({ name, in: place, schema, description }) => (
          <tr key={name}>
            <td>
              <code>{name}</code>
            </td>
            <td>{place}</td>
            <td>
              <TypeOf schema={schema} />
              {schema.default !== undefined && `, else ${JSON.stringify(schema.default)}`}
            </td>
            <td class="small muted">{description}</td>
          </tr>
        ))}
      </tbody>
    </table>
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
    <table aria-label="Answers">
      <Columns names={['Status', 'When', 'With']} />
      <tbody>
        {Object.entries(responses).map(([status, { description, content = {} }]) => (
          <tr key={status}>
            <td>{status === 'default' ? 'other' : status}</td>
            <td>{description}</td>
            <td>
              {Object.entries(content).map(([type, { schema }]) => (
                <div key={type}>
                  {type === 'application/json' ? (
                    <Fields schema={schema} what={`Answer ${status}`} />
                  ) : (
                    <code>{type}</code>
                  )}
                </div>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
    <table aria-label="Callers">
      <Columns names={['Who', 'May']} />
      <tbody>
        {Object.entries(callers).map(([caller, grant]) => (
          <tr key={caller}>
            <td>{caller}</td>
            <td>{granted[grant] ?? `is refused with ${grant}`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </>
);

import { referred, type SchemaObject, typeWords } from './description.ts';
import { Columns } from '../../components/columns.tsx';

/** A type, linked to its description on this page if there is one. */
export function TypeOf({ schema }: { readonly schema: SchemaObject }) {
  const inner = schema.items ?? schema;
  const name = referred(inner);
  if (name === null) return <code>{typeWords(schema)}</code>;
  return (
    <>
      {schema.items && 'list of '}
      <a href={`#schema-${name}`}>{name}</a>
    </>
  );
}

/** The fields of an object, each with its type; for any other schema its type. */
export function Fields({ schema, what }: { readonly schema: SchemaObject; readonly what: string }) {
  const { properties, required = [] } = schema;
  if (!properties) return <TypeOf schema={schema} />;
  return (
    <table aria-label={what}>
      <Columns names={['Field', 'Is', 'Required', 'About']} />
      <tbody>
        {Object.entries(properties).map(([name, field]) => (
          <tr key={name}>
            <td>
              <code>{name}</code>
            </td>
            <td>
              <TypeOf schema={field} />
            </td>
            <td>{required.includes(name) ? 'yes' : 'no'}</td>
            <td class="small muted">{field.description}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

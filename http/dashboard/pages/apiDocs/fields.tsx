import { referred, type SchemaObject, typeWords } from './description.ts';
import { Table } from '../../components/table/table.tsx';

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
    <Table
      columns={[
        { label: 'Field', cell: ([name]) => <code>{name}</code> },
        { label: 'Is', cell: ([, field]) => <TypeOf schema={field} /> },
        { label: 'Required', cell: ([name]) => (required.includes(name) ? 'yes' : 'no') },
        { label: 'About', look: 'small muted', cell: ([, field]) => field.description },
      ]}
      rows={Object.entries(properties)}
      keyOf={([name]) => name}
      label={what}
      scrolls={false}
    />
  );
}

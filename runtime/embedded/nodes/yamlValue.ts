import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { type Document, LineCounter, isMap, isNode, isScalar, parseDocument } from 'yaml';
import { type Key, type ValueOf, schemas, whenEmpty } from './schema.ts';

/** What a key of the ConfigMap holds, or what is wrong with it and where. */
export type Read<T> = { readonly is: 'value'; readonly value: T } | { readonly is: 'fault'; readonly says: string };

type Path = readonly (string | number)[];

/** The schemas are ours and small: neither to check them nor to shorten what they become is worth a longer start. */
const ajv = new Ajv({ useDefaults: true, meta: false, validateSchema: false, code: { optimize: false } });

/** Reads the YAML of a key and holds it against the key's schema. An empty text is `whenEmpty`. */
export function readYaml<K extends Key>(key: K, text: string): Read<ValueOf<K>> {
  // Most clusters simulate nothing, and their start would wait for a schema to be compiled.
  if (text === '') return { is: 'value', value: emptyOf(key) };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const fault = (offset: number, says: string): Read<ValueOf<K>> => {
    const { line, col } = lines.linePos(offset);
    return { is: 'fault', says: `${key}, line ${Math.max(1, line)}, column ${Math.max(1, col)}: ${says}` };
  };
  const [broken] = document.errors;
  if (broken) return fault(broken.pos[0], broken.message);
  try {
    const value: unknown = document.toJS() ?? emptyOf(key);
    const validate: ValidateFunction<ValueOf<K>> = ajv.compile(schemas[key]);
    if (validate(value)) return { is: 'value', value };
    const [error] = validate.errors ?? [];
    return error ? fault(offsetOf(document, pathOf(error)), wordsOf(key, error)) : fault(0, 'is not valid');
  } catch (why) {
    return fault(0, why instanceof Error ? why.message : String(why));
  }
}

const emptyOf = <K extends Key>(key: K) => structuredClone<unknown>(whenEmpty[key]) as ValueOf<K>;

function pathOf({ instancePath, params }: ErrorObject): Path {
  const steps = instancePath.split('/').slice(1);
  const unknown: unknown = params['additionalProperty'];
  return [...steps, ...(typeof unknown === 'string' ? [unknown] : [])].map((step) =>
    /^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~'),
  );
}

function wordsOf(key: Key, error: ErrorObject): string {
  const place = pathOf(error).map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  const says = error.keyword === 'additionalProperties' ? 'is not a known field' : (error.message ?? 'is not valid');
  return `${key}${place.join('')} ${says}`;
}

/** Where the field at a path begins; for a missing field, that of its nearest parent. */
function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent = document.getIn(path.slice(0, length - 1), true);
    const last = path[length - 1];
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(last))
      : undefined;
    const node = pair?.key ?? document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return isNode(document.contents) && document.contents.range ? document.contents.range[0] : 0;
}

import { type Document, isAlias, visit } from 'yaml';
import { TooManyValues, documentOf } from './document.ts';
import { duplicateKeys } from './duplicates.ts';

/** What reading a YAML text comes to, as text so that it crosses threads cheaply: JSON and what is said of keys given twice. */
export type YamlReading =
  | { readonly json: string; readonly duplicates: string; readonly why?: undefined }
  | { readonly why: string; readonly holdsTooMany?: true };

/** Each alias is looked up by a walk through the document. */
const mostAliases = 200;

/** Reads one YAML document. */
export function readYaml(text: string): YamlReading {
  try {
    const document = documentOf(text);
    const [error] = document.errors;
    if (error) return { why: `line ${lineOf(text, error.pos[0])}: ${error.message}` };
    if (aliasesIn(document) > mostAliases) return { why: 'document contains excessive aliasing' };
    const json = JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? null);
    return { json, duplicates: duplicateKeys(document, text) };
  } catch (why) {
    if (why instanceof TooManyValues) return { why: 'it holds too many values', holdsTooMany: true };
    // Aliases that stand for too much, and what is nested too deep.
    if (why instanceof ReferenceError || why instanceof RangeError) return { why: why.message };
    throw why;
  }
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;

function aliasesIn(document: Document.Parsed): number {
  let count = 0;
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node)) count += 1;
    },
  });
  return count;
}

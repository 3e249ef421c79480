import { Composer, type CST, type Document, Lexer, Parser } from 'yaml';
import { mostValues } from '../shape.ts';

/**
 * A document is composed by recursion that takes a kilobyte of the stack for each level, and near the end of the stack V8
 * ends the whole process where it compiles a pattern.
 */
export const deepest = 250;

/** Each value has at most a name and a text. What holds more is refused before the rest of it is read. */
const mostTexts = 2 * mostValues + 2;

export class TooManyValues extends Error {
  override readonly name = 'TooManyValues';
}

/** An item, a list, an object, a text: a plain one stands behind a unit separator. */
const beginsValue = (lexeme: string): boolean =>
  lexeme.length === 1 ? '-,?[{\u001f'.includes(lexeme) : lexeme.startsWith('"') || lexeme.startsWith("'");

/** The first document of a text. Errors are not pretty-printed: each would scan the whole text. */
export function documentOf(text: string): Document.Parsed {
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
  const [document] = composer.compose(tokensOf(text), true, text.length);
  if (document === undefined) throw new TypeError('a composer always ends with a document');
  return document;
}

/** The tokens of a text; the parser itself does not recurse on its way down. */
function* tokensOf(text: string): Generator<CST.Token> {
  const parser = new Parser();
  let values = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (beginsValue(lexeme)) values += 1;
    if (values > mostTexts) throw new TooManyValues();
    yield* parser.next(lexeme);
    if (parser.stack.length > deepest + 1) throw new RangeError(`exceeded max depth of ${deepest}`);
  }
  yield* parser.end();
}

import { Composer, type CST, type Document, Lexer, Parser } from 'yaml';

/**
 * A document is composed by recursion that takes a kilobyte of the stack for each level, and near the end of the stack V8
 * ends the whole process where it compiles a pattern.
 */
export const deepest = 250;

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
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > deepest + 1) throw new RangeError(`exceeded max depth of ${deepest}`);
  }
  yield* parser.end();
}

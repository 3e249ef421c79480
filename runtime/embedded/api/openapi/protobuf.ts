/** An OpenAPI 2 document without paths in its protobuf form; all of it is ASCII, so text holds it. */
export function minimalDocument({ title, version }: { readonly title: string; readonly version: string }): string {
  const info = textField(1, title) + textField(2, version);
  return textField(1, '2.0') + textField(2, info) + textField(8, '') + textField(9, '');
}

/** A length-delimited field shorter than 128 bytes. */
const textField = (number: number, text: string) => String.fromCharCode((number << 3) | 2, text.length) + text;

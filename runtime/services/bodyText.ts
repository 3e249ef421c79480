/** Reads a body as text, up to a size in bytes; a longer one is an error. */
export async function bodyText(body: AsyncIterable<Buffer>, atMost: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > atMost) throw new Error(`the answer is longer than ${atMost} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

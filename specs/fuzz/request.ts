/** A request as it goes over the wire, right or wrong: each part is what is written, not what it ought to be. */
export interface Wire {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** `length` counts the body right, `none` says nothing of it, the others say what the text says. */
  readonly framing: 'length' | 'chunked' | 'none';
  /** `cut` ends half-way, `held` stays open half-way until the server loses patience. */
  readonly pace: 'whole' | 'cut' | 'held';
}

/** What is changed about a request, and how. */
export interface Change {
  readonly name: string;
  readonly of: (wire: Wire) => Wire;
}

const chunked = (body: Buffer): Buffer =>
  Buffer.concat([
    ...(body.length > 0 ? [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')] : []),
    Buffer.from('0\r\n\r\n'),
  ]);

const framings = {
  length: (body: Buffer) => [`Content-Length: ${body.length}\r\n`, body] as const,
  chunked: (body: Buffer) => ['Transfer-Encoding: chunked\r\n', chunked(body)] as const,
  none: (body: Buffer) => ['', body] as const,
} satisfies Record<Wire['framing'], (body: Buffer) => readonly [string, Buffer]>;

/** The bytes of a request. Texts are written byte for byte, so that they may be no UTF-8 at all. */
export function bytesOf({ method, target, version, headers, body, framing }: Wire): Buffer {
  const [framed, content] = framings[framing](body);
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`${method} ${target} ${version}\r\n${lines}${framed}\r\n`, 'latin1'), content]);
}

/** With a header in place of any of its name. */
export const withHeader = (wire: Wire, name: string, value: string): Wire => ({
  ...wire,
  headers: [...wire.headers.filter(([known]) => known.toLowerCase() !== name.toLowerCase()), [name, value]],
});

export const withoutHeader = (wire: Wire, name: string): Wire => ({
  ...wire,
  headers: wire.headers.filter(([known]) => known.toLowerCase() !== name.toLowerCase()),
});

/** With one header more, whether there is one of its name or not. */
export const alsoHeader = (wire: Wire, name: string, value: string): Wire => ({
  ...wire,
  headers: [...wire.headers, [name, value]],
});

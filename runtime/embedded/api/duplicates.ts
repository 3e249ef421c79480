interface Frame {
  readonly path: string;
  /** The names met so far in an object; null in a list. */
  readonly names: Set<string> | null;
  index: number;
  field: string;
}

/** The paths of the fields that a JSON text, which is valid, gives twice in one object. */
export function duplicateFields(text: string): readonly string[] {
  const twice = new Set<string>();
  const frames: Frame[] = [];
  let isName = false;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
    const frame = frames.at(-1);
    if (token === '{' || token === '[') {
      frames.push({ path: pathOf(frame), names: token === '{' ? new Set() : null, index: 0, field: '' });
      isName = token === '{';
    } else if (token === '}' || token === ']') {
      frames.pop();
      isName = false;
    } else if (token === ',') {
      if (frame) frame.index += 1;
      isName = frame?.names !== null;
    } else if (token === ':') isName = false;
    else if (isName && frame) meet(frame, JSON.parse(token) as string, twice);
  }
  return [...twice];
}

function meet(frame: Frame, name: string, twice: Set<string>): void {
  frame.field = name;
  if (frame.names?.has(name)) twice.add(pathOf(frame));
  frame.names?.add(name);
}

function pathOf(frame: Frame | undefined): string {
  if (!frame) return '';
  if (frame.names === null) return `${frame.path}[${frame.index}]`;
  return frame.path === '' ? frame.field : `${frame.path}.${frame.field}`;
}

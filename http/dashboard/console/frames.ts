/** Output is acknowledged in pieces of this size, so that the server sends no more than is shown (decision 58). */
export const ackBytes = 64 * 1_024;
/** A frame that is longer is refused by the server. */
export const frameBytes = 32 * 1_024;
/** Of a paste no more is sent. */
export const pasteBytes = 1_024 * 1_024;

export const resizeFrame = (cols: number, rows: number): string => JSON.stringify({ resize: { cols, rows } });
export const ackFrame = (bytes: number): string => JSON.stringify({ ack: bytes });

/** The exit code in a frame; null for a frame without one. */
export function exitCodeIn(text: string): number | null {
  try {
    const { exit } = JSON.parse(text) as { readonly exit?: { readonly code?: unknown } };
    return typeof exit?.code === 'number' ? exit.code : null;
  } catch {
    return null;
  }
}

/** What was typed or pasted as frames, and whether it was cut off. */
export function inputFrames(text: string): {
  readonly frames: readonly Uint8Array<ArrayBuffer>[];
  readonly isCut: boolean;
} {
  const bytes = new TextEncoder().encode(text);
  const sent = bytes.subarray(0, pasteBytes);
  const frames: Uint8Array<ArrayBuffer>[] = [];
  for (let from = 0; from < sent.length; from += frameBytes) frames.push(sent.subarray(from, from + frameBytes));
  return { frames, isCut: bytes.length > sent.length };
}

/** Why a terminal ended, for a person. */
export function endWords(code: number, reason: string, exit: number | null): string {
  if (exit !== null) return `The command ended with exit code ${exit}.`;
  if (reason !== '') return `${reason}.`;
  return code === 1006 ? 'The connection broke off.' : `The terminal ended (${code}).`;
}

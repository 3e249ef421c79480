/** A piece of a word: text as it stands, a variable, or the output of a command. */
export type Piece =
  | { readonly is: 'text'; readonly text: string; readonly quoted: boolean }
  | { readonly is: 'variable'; readonly name: string; readonly otherwise: string | null; readonly quoted: boolean }
  | { readonly is: 'output'; readonly of: Script; readonly quoted: boolean };

export type Word = readonly Piece[];

export interface Redirect {
  readonly from: 0 | 1 | 2;
  readonly how: 'read' | 'write' | 'append' | 'same';
  /** The file; for `same` the number of the stream that this one joins. */
  readonly to: Word;
}

export interface Command {
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
}

/** Commands joined by pipes, and when they run: always, or by how the ones before ended. */
export interface Pipeline {
  readonly when: 'always' | 'success' | 'failure';
  readonly commands: readonly Command[];
}

export type Script = readonly Pipeline[];

/** Text that is no script of the simulated shell; `unfinished` when more lines could make it one. */
export class SyntaxFault extends Error {
  override readonly name = 'SyntaxFault';
  readonly unfinished: boolean;
  constructor(message: string, unfinished = false) {
    super(message);
    this.unfinished = unfinished;
  }
}

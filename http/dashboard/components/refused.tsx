import { Note } from './note.tsx';

interface RefusedProps {
  /** The server's words; empty where nothing was refused. */
  readonly text: string;
  /** Whether it stands in a card by itself, and not in the body of one. */
  readonly inCard?: boolean;
}

/** Why what was asked was refused. */
export function Refused({ text, inCard = false }: RefusedProps) {
  if (text === '') return null;
  const note = <Note tone="bad">{text}</Note>;
  return inCard ? <div class="card-body">{note}</div> : note;
}

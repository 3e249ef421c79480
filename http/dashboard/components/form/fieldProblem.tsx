import { Note } from '../note.tsx';

interface FieldProblemProps {
  /** What the field is described by. */
  readonly id: string;
  readonly text: string;
}

/** Why the form was refused, at the field that this is about. */
export const FieldProblem = ({ id, text }: FieldProblemProps) =>
  text === '' ? null : (
    <div id={id}>
      <Note tone="bad">{text}</Note>
    </div>
  );

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Why a form was not sent, and which of its fields that is about; no field where it is about none. */
export interface Refusal {
  readonly field: string;
  readonly text: string;
  /** Whether the field was left with it: then the focus stays where it went. */
  readonly isLeft?: boolean;
}

export const noRefusal: Refusal = { field: '', text: '' };

/** What the form around a field was refused for. */
export const FormRefusal = createContext<Refusal>(noRefusal);

interface FieldRefusal {
  /** Empty where the form was not refused for this field. */
  readonly problem: string;
  readonly takesFocus: boolean;
}

/** Why the form around a field was refused, if that is about this field. */
export function useRefusal(name: string): FieldRefusal {
  const { field, text, isLeft = false } = useContext(FormRefusal);
  const problem = name !== '' && field === name ? text : '';
  return { problem, takesFocus: problem !== '' && !isLeft };
}

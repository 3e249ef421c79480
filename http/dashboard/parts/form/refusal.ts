import { createContext } from 'preact';

/** Why a form was not saved, where that is about one of its fields. */
interface Refusal {
  readonly field: string;
  readonly text: string;
}

/** What the form around a field was refused for. */
export const FormRefusal = createContext<Refusal>({ field: '', text: '' });

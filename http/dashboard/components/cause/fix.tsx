import { TextWithCode } from '../textWithCode.tsx';

/** What a person can do; nothing where only waiting helps. */
export const Fix = ({ hint }: { readonly hint: string }) =>
  hint === '' ? null : (
    <p>
      <b>Fix:</b> <TextWithCode text={hint} />
    </p>
  );

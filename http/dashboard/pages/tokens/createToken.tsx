import type { NewApiToken } from '../../../api.ts';
import { useSignal } from '@preact/signals';
import { Dialog } from '../../components/dialog.tsx';
import { Form, type ReadField } from '../../components/form/form.tsx';
import { submitButton } from '../../components/form/formButtons.tsx';
import { now } from '../../store/clock.ts';
import { choicesIn, tokenBody } from './choices.ts';
import { TokenFields } from './tokenFields.tsx';
import { SecretOnce } from '../../components/secretOnce.tsx';
import { programName, quoted } from '../../model/command.ts';
import { dayOrNever, tokenAccess } from './token.ts';
import { write } from '../../api.ts';
import { expiryProblem } from './text.ts';

interface CreateTokenProps {
  readonly onMade: () => void;
  readonly onClose: () => void;
}

/** Asks for the access and the expiry of a token, makes it, and shows its secret this once (AUT-026). */
export function CreateToken({ onMade, onClose }: CreateTokenProps) {
  const made = useSignal<NewApiToken | null>(null);
  const bodyIn = (read: ReadField) => tokenBody(choicesIn(read), now.value);
  const token = made.value;
  if (token)
    return (
      <SecretOnce
        title={`${token.name} is created`}
        what="Token"
        secret={token.token}
        facts={`Access: ${tokenAccess(token)}. Expires: ${dayOrNever(token.expiresAt)}.`}
        use={`${programName} login --url ${quoted(location.origin)} --token-stdin`}
        onClose={onClose}
      />
    );
  return (
    <Dialog title="Create a token" onClose={onClose}>
      <Form
        problem={(read) => (bodyIn(read) === null ? expiryProblem : null)}
        send={(read) => write('POST /tokens', {}, bodyIn(read) ?? {})}
        onDone={(token) => {
          made.value = token;
          onMade();
        }}
        buttons={submitButton('Create', 'Creating')}
        onCancel={onClose}
      >
        <TokenFields />
      </Form>
    </Dialog>
  );
}

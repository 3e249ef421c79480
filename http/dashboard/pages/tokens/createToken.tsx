import type { NewApiToken } from '../../../api.ts';
import { useSignal } from '@preact/signals';
import type { ApiResult } from '../../api.ts';
import { act, api } from '../../api.ts';
import { Dialog } from '../../components/dialog.tsx';
import { DialogEnd } from '../../components/dialogEnd.tsx';
import { now } from '../../store/clock.ts';
import { fieldsOf } from '../../model/formData.ts';
import { choicesIn, tokenBody } from './choices.ts';
import { TokenFields } from './tokenFields.tsx';
import { SecretOnce } from '../../components/secretOnce.tsx';
import { programName, quoted } from '../../model/command.ts';
import { dayOrNever, tokenAccess } from './token.ts';

interface CreateTokenProps {
  readonly onMade: () => void;
  readonly onClose: () => void;
}

/** Asks for the access and the expiry of a token, makes it, and shows its secret this once (AUT-026). */
export function CreateToken({ onMade, onClose }: CreateTokenProps) {
  const made = useSignal<NewApiToken | null>(null);
  const busy = useSignal(false);
  const refused = useSignal('');
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement) || busy.value) return;
    const body = tokenBody(choicesIn(fieldsOf(event.currentTarget)), now.value);
    if (body === null) {
      refused.value = 'Choose the day on which the token expires';
      return;
    }
    busy.value = true;
    refused.value = '';
    const answer: ApiResult<NewApiToken> = await act<NewApiToken>(api.tokens, body);
    busy.value = false;
    if (answer.is !== 'ok') {
      refused.value = answer.error;
      return;
    }
    made.value = answer.value;
    onMade();
  };
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
      <form class="form" onSubmit={(event) => void submit(event)}>
        <TokenFields />
        <DialogEnd words={['Create', 'Creating']} isBusy={busy.value} refused={refused.value} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

import { keysShown, keyWords } from './keys.ts';
import { addressOf } from '../../routes.ts';
import { Dialog } from '../dialog.tsx';

/** The keys that work everywhere. */
export const KeysDialog = () => (
  <Dialog title="Keyboard shortcuts" onClose={() => (keysShown.value = false)}>
    <dl class="keys">
      {keyWords().map(([keys, word]) => (
        <>
          <dt key={keys}>
            {keys.split(' ').map((key) => (
              <>
                <kbd key={key}>{key}</kbd>{' '}
              </>
            ))}
          </dt>
          <dd key={word}>{word}</dd>
        </>
      ))}
    </dl>
    <div class="dialog-end">
      <a href={addressOf.apiDocs()} onClick={() => (keysShown.value = false)}>
        The API
      </a>
      <button type="button" class="button" autofocus onClick={() => (keysShown.value = false)}>
        Close
      </button>
    </div>
  </Dialog>
);

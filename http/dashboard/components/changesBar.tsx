import { useSignal } from '@preact/signals';
import type { Change } from '../../api.ts';
import { type ApiResult, send, type WriteRequest } from '../api.ts';
import { useOffers } from '../store/offered.ts';
import { mayAct } from '../store/session.ts';
import { plural } from '../model/plural.ts';
import { changeName, changesWord, isSecret, valueWord } from '../model/service.ts';
import { Card } from './card.tsx';
import { Confirm } from './confirm.tsx';
import { Refused } from './refused.tsx';
import { Table } from './table/table.tsx';

interface ChangesBarProps {
  /** The name of the resource. */
  readonly of: string;
  /** Settings that wait for a deploy; those that apply at once are none of them. */
  readonly changes: readonly Change[];
  /** A draft waits as a whole. */
  readonly isDraft: boolean;
  readonly deploy: () => Promise<ApiResult<unknown>>;
  /** Whether what runs can be put back. */
  readonly isDiscardable: (change: Change) => boolean;
  /** The requests that put it back. */
  readonly discardsOf: (changes: readonly Change[]) => readonly WriteRequest<unknown>[];
  readonly onDone: () => void;
}

type Doing = 'deploying' | 'discarding' | null;

/** What waits for a deploy. It leaves as the deploy starts, and stays, with the reason, if it is refused. */
export function ChangesBar({ of, changes, isDraft, deploy, isDiscardable, discardsOf, onDone }: ChangesBarProps) {
  const doing = useSignal<Doing>(null);
  const failed = useSignal('');
  const isAsking = useSignal(false);
  /** What a deploy took up, which may still be listed until it is read again. */
  const taken = useSignal('');
  const listed = JSON.stringify([isDraft, changes]);
  const isShown = (isDraft || changes.length > 0) && taken.value !== listed;
  const word = isDraft ? 'Deploy' : 'Deploy changes';
  const plain = changes.filter(isDiscardable);

  const start = async () => {
    if (doing.value !== null) return;
    doing.value = 'deploying';
    const answer = await deploy();
    doing.value = null;
    failed.value = answer.is === 'ok' ? '' : answer.error;
    taken.value = answer.is === 'ok' ? listed : '';
    onDone();
  };
  const discard = async () => {
    isAsking.value = false;
    doing.value = 'discarding';
    failed.value = await putBack(discardsOf(plain));
    doing.value = null;
    onDone();
  };
  useOffers(of, isShown && mayAct() ? [{ label: word, run: () => void start() }] : []);
  if (!isShown) return null;
  return (
    <Card label="Changes to deploy" tone="waiting">
      <div class="changes">
        <p>
          <b>{isDraft ? 'Saved as a draft; nothing runs yet.' : changesWord(changes)}</b>
        </p>
        {mayAct() && (
          <Buttons
            label={word}
            doing={doing.value}
            onDeploy={() => void start()}
            onDiscard={isDraft || plain.length === 0 ? null : () => (isAsking.value = true)}
          />
        )}
      </div>
      <Refused text={failed.value} inCard />
      {changes.length > 0 && <Review changes={changes} />}
      {isAsking.value && (
        <Confirm
          title="Discard changes?"
          text={discardWords(plain, changes)}
          yes={`Discard ${plural(plain.length, 'change')}`}
          onYes={() => void discard()}
          onNo={() => (isAsking.value = false)}
        />
      )}
    </Card>
  );
}

interface ButtonsProps {
  readonly label: string;
  readonly doing: Doing;
  readonly onDeploy: () => void;
  /** Null where nothing can be put back. */
  readonly onDiscard: (() => void) | null;
}

const Buttons = ({ label, doing, onDeploy, onDiscard }: ButtonsProps) => (
  <div class="row">
    {onDiscard && (
      <button type="button" class="button" aria-haspopup="dialog" onClick={onDiscard}>
        {doing === 'discarding' ? 'Discarding …' : 'Discard'}
      </button>
    )}
    <button type="button" class="button button-main" aria-busy={doing === 'deploying'} onClick={onDeploy}>
      {doing === 'deploying' ? 'Deploying …' : label}
    </button>
  </div>
);

/** Sends what puts the settings back, up to the first refusal; returns that. */
async function putBack(requests: readonly WriteRequest<unknown>[]): Promise<string> {
  for (const request of requests) {
    const answer = await send(request);
    if (answer.is !== 'ok') return answer.error;
  }
  return '';
}

function discardWords(plain: readonly Change[], all: readonly Change[]): string {
  const names = plain.map(changeName).join(', ');
  const others = all.length - plain.length;
  const rest = others > 0 ? ` ${plural(others, 'other change')} ${others === 1 ? 'stays' : 'stay'}.` : '';
  return `These are reset to the running values: ${names}.${rest}`;
}

const Review = ({ changes }: { readonly changes: readonly Change[] }) => (
  <details class="why">
    <summary>Review</summary>
    <Table
      columns={[
        { label: 'What', look: 'mono', cell: changeName },
        {
          label: 'Runs now',
          look: 'mono wrap',
          cell: (item) => (isSecret(item) ? <SecretValue /> : valueWord(item.deployed)),
        },
        { label: 'After the deploy', look: 'mono wrap', cell: (item) => (isSecret(item) ? '' : valueWord(item.saved)) },
      ]}
      rows={changes}
      keyOf={({ path }) => path}
    />
  </details>
);

const SecretValue = () => <span class="muted plain">Secret: its value is never shown.</span>;

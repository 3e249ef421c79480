import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ManifestStep } from '../../../api.ts';
import { Card } from '../../components/card.tsx';
import { Fact } from '../../components/fact.tsx';
import { PostForm } from '../../components/form/postForm.tsx';
import { Note } from '../../components/note.tsx';
import { address, go } from '../../router.ts';
import { mayAct } from '../../store/session.ts';
import { gitAppFields, gitAppValues, manifestReturn, storedWord } from './model.ts';
import { PlatformForm } from './platformForm.tsx';
import type { PlatformViewProps } from './platformView.ts';
import { write } from '../../api.ts';

/** The application at the Git host: made there of a manifest, or entered by its six values. */
export function GitApplication({ settings, onSaved }: PlatformViewProps) {
  const { gitApp } = settings.secrets;
  return (
    <>
      <Card title="Git host application">
        <dl class="facts facts-panel">
          <Fact name="Secret">
            <code>{gitApp.name}</code>
          </Fact>
          <Fact name="Stored">{storedWord(gitApp.keys)}</Fact>
        </dl>
        {mayAct() && <ByManifest onSaved={onSaved} />}
      </Card>
      <PlatformForm
        title="Application by its values"
        help={`All six are saved in the Secret ${gitApp.name}; what is stored is never shown.`}
        fields={gitAppFields}
        values={gitAppValues}
        empties
        what="application"
        save={(_, values) => write('POST /settings/git-app/save', {}, values)}
        onSaved={onSaved}
      />
    </>
  );
}

/** Leads to the Git host and back: it is asked there, and what it sends back is saved here. */
function ByManifest({ onSaved }: Pick<PlatformViewProps, 'onSaved'>) {
  const step = useSignal<ManifestStep | null>(null);
  const outcome = useSignal<{ readonly tone: 'good' | 'bad'; readonly text: string } | null>(null);
  const ask = async (body: object) => {
    const answer = await write('POST /settings/git-app/manifest', {}, body);
    if (answer.is === 'ok') return answer.value;
    outcome.value = { tone: 'bad', text: answer.error };
    return null;
  };
  const begin = async () => {
    step.value = await ask({});
  };
  const end = async (back: NonNullable<ReturnType<typeof manifestReturn>>) => {
    if ((await ask(back)) === null) return;
    outcome.value = { tone: 'good', text: 'The application is saved.' };
    onSaved();
  };
  useEffect(() => {
    const back = manifestReturn(address.peek().search);
    if (back === null) return;
    // The code is good once: a reload must not send it again.
    go(address.peek().path, 'replace');
    void end(back);
  }, []);
  return (
    <div class="card-body stack-tight">
      {outcome.value && <Note tone={outcome.value.tone}>{outcome.value.text}</Note>}
      <div>
        <button type="button" class="button" onClick={() => void begin()} disabled={step.value !== null}>
          Create at the Git host
        </button>
      </div>
      {step.value && <Sent step={step.value} />}
    </div>
  );
}

/** Sent as soon as it is there, because only a form leads a browser to another site with more than an address. */
const Sent = ({ step: { address: action = '', manifest = {} } }: { readonly step: ManifestStep }) => (
  <PostForm to={action} values={{ manifest: JSON.stringify(manifest) }} />
);

import { useSignal } from '@preact/signals';
import { Card } from '../../../components/card.tsx';
import { Form, nothingSent } from '../../../components/form/form.tsx';
import { submitButton } from '../../../components/form/formButtons.tsx';
import { connect } from '../../../console/consoles.ts';
import { Command } from '../../../components/copy.tsx';
import { Empty } from '../../../components/empty.tsx';
import { withParam } from '../../../components/filter/query.ts';
import { Select } from '../../../components/select.tsx';
import { TextWithCode } from '../../../components/textWithCode.tsx';
import { address, go } from '../../../router.ts';
import { wordsOf } from '../../../model/command.ts';
import { type Enterable, kubectlExec, unfitCommand } from './model.ts';
import { programName } from '../../../model/command.ts';

interface ConnectFormProps {
  readonly app: string;
  readonly namespace: string;
  readonly copies: readonly Enterable[];
}

/** Which copy, container and command a terminal is opened with. The address names the copy, so a link leads to it. */
export function ConnectForm({ app, namespace, copies }: ConnectFormProps) {
  const asked = new URLSearchParams(address.value.search).get('pod');
  const chosen = useSignal('');
  const text = useSignal('sh');
  const copy = copies.find(({ pod }) => pod === asked) ?? copies[0];
  if (copy === undefined)
    return (
      <Card isPadded>
        <Empty
          title="No copy runs"
          text="A console opens in a running copy of the service."
          command={`${programName} status ${app}`}
        />
      </Card>
    );
  const container = copy.containers.find((name) => name === chosen.value) ?? copy.containers[0] ?? '';
  const command = wordsOf(text.value) ?? [];
  const target = { app, pod: copy.pod, container, command };
  const unfit = unfitCommand(text.value);
  return (
    <Card label="Open a console">
      <Form
        look="card-body console-form"
        send={() => Promise.resolve(nothingSent)}
        onDone={() => connect(target)}
        buttons={submitButton('Connect', 'Connecting', { isDisabled: unfit !== null })}
      >
        {({ buttons }) => (
          <>
            <Select
              look="field"
              label="Copy"
              options={copies.map(({ pod }) => pod)}
              value={copy.pod}
              onChoose={(pod) => go(withParam(address.peek(), 'pod', pod), 'replace')}
            />
            <Select
              look="field"
              label="Container"
              options={copy.containers}
              value={container}
              onChoose={(name) => (chosen.value = name)}
            />
            <label class="field">
              Command
              <input
                class="input mono"
                value={text.value}
                spellcheck={false}
                autocapitalize="none"
                onInput={(event) => (text.value = event.currentTarget.value)}
              />
            </label>
            {buttons}
            <p class="small muted console-hint">
              <TextWithCode text={unfit ?? '`sh` opens a login bash where the image has one.'} />
            </p>
          </>
        )}
      </Form>
      <div class="card-body">
        <Command what="the command that does the same" text={kubectlExec({ namespace, ...target })} />
      </div>
    </Card>
  );
}

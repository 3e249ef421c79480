import { useSignal } from '@preact/signals';
import type { WebhookCreated } from '../../../../api.ts';
import { pathTo, write } from '../../../api.ts';
import { Card } from '../../../components/card.tsx';
import { ofProject } from '../../../kindPages/service/concerns.ts';
import { Empty } from '../../../components/empty.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { SecretOnce } from '../../../components/secretOnce.tsx';
import { Hidden } from '../../../components/value.tsx';
import { useLoaded } from '../../../store/loaded.ts';
import { mayAct, mayReadSensitive } from '../../../store/session.ts';
import { signatureLine, noWebhookText } from './text.ts';
import type { SettingsViewProps } from '../view.ts';
import { AddressForm } from './addressForm.tsx';
import { WebhookCard } from './webhookCard.tsx';

/** The receivers of a project's deploy events, each with the log of what was sent (UI-004). */
export function Webhooks({ read: { resource } }: SettingsViewProps) {
  const { name: project } = resource;
  const path = pathTo('GET /projects/{project}/webhooks', { project });
  const loaded = useLoaded(mayReadSensitive() ? path : null, ofProject(project));
  const { reload } = loaded;
  const shown = useSignal<WebhookCreated | null>(null);
  if (!mayReadSensitive())
    return (
      <Card label="Webhooks" isPadded>
        <Hidden />
      </Card>
    );
  return (
    <div class="stack">
      {mayAct() && (
        <AddWebhook
          project={project}
          onMade={(made) => {
            shown.value = made;
            reload();
          }}
        />
      )}
      <Loaded of={loaded} height={160} empty={<Empty title="No webhook yet" text={noWebhookText} />}>
        {(value) => (
          <>
            {value.items.map((webhook) => (
              <WebhookCard
                key={webhook.id}
                project={project}
                webhook={webhook}
                onSecret={(made) => (shown.value = made)}
                onSaved={reload}
              />
            ))}
          </>
        )}
      </Loaded>
      {shown.value && (
        <SecretOnce
          title="Signing secret"
          what="Secret"
          secret={shown.value.secret}
          facts={`It signs what is sent by the webhook ${shown.value.id}: check each message with it.`}
          use={signatureLine}
          onClose={() => (shown.value = null)}
        />
      )}
    </div>
  );
}

interface AddWebhookProps {
  readonly project: string;
  readonly onMade: (made: WebhookCreated) => void;
}

const AddWebhook = ({ project, onMade }: AddWebhookProps) => (
  <Card title="Add a webhook" look="narrow" actions={<span class="muted small">Its secret is shown once.</span>}>
    <div class="card-body">
      <AddressForm
        before=""
        verb="Add webhook"
        busyVerb="Adding"
        send={(url) => write('POST /projects/{project}/webhooks', { project }, { url })}
        onSent={onMade}
      />
    </div>
  </Card>
);

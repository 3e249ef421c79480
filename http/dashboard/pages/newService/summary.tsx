import { systemNamespace } from '../../../../crds/names.ts';
import { Command, CopyButton } from '../../components/copy.tsx';
import { Fact } from '../../components/fact.tsx';
import type { Place } from '../../routes.ts';
import { madeByHand } from '../../model/gate.ts';
import { createCommand, manifestOf, type NewService, portWord, sourceWord } from '../../model/newService.ts';

interface SummaryProps {
  readonly service: NewService;
  readonly place: Place;
}

/** What will be made, and the commands that make the same. */
export function Summary({ service, place }: SummaryProps) {
  const manifest = manifestOf(service, place, systemNamespace);
  return (
    <>
      <dl class="facts facts-plain">
        <Fact name="Name">{service.name}</Fact>
        <Fact name="Source">{sourceWord(service)}</Fact>
        <Fact name="Port">{portWord(service)}</Fact>
        <Fact name="Environment">
          {place.project} / {place.environment}
        </Fact>
      </dl>
      <Command what="the command that does the same" text={createCommand(service, place)} />
      <details class="why">
        <summary>For kubectl apply -f -</summary>
        <p class="card-body muted small">{madeByHand}</p>
        <div class="row">
          <CopyButton text={manifest} what="the manifest" />
        </div>
        <pre class="json" tabIndex={0}>
          {manifest}
        </pre>
      </details>
    </>
  );
}

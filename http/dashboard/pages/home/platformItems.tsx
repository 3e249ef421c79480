import type { Instance } from '../../../api.ts';
import { Actions } from '../../components/actionButton.tsx';
import { Countdown, Since } from '../../components/times.tsx';
import { LongText } from '../../components/longText.tsx';
import { requestCheck } from '../../api.ts';
import { checkOf } from '../../model/nextCheck.ts';
import { objectPageOf } from '../../model/objectPages.ts';
import { addressOf } from '../../routes.ts';
import { isAdmin, mayAct } from '../../store/session.ts';
import type { PlatformItem } from './platformAttention.ts';
import { WordChip } from './wordChip.tsx';

/** A setting of the platform that does not work: its domain, or the records of it. */
export function PlatformRow({ item: { instance, word, name } }: { readonly item: PlatformItem }) {
  const { machine, id, since, reason, shown } = instance;
  return (
    <li class="alert">
      <WordChip word={word} />
      <a class="strong alert-name" href={addressOfSetting(instance)}>
        {name}
      </a>
      <span class="alert-text">
        <LongText text={reason || shown} />
        <NextCheck instance={instance} />
      </span>
      <span class="muted small nowrap">
        for <Since at={since} />
      </span>
      {mayAct() && (
        <Actions
          of={name}
          actions={[{ label: 'Check now', request: requestCheck(machine, id), small: true }]}
          onDone={() => {}}
        />
      )}
    </li>
  );
}

const addressOfSetting = (instance: Instance): string =>
  objectPageOf(instance, isAdmin())?.to ?? addressOf.instance(instance.machine, instance.id);

function NextCheck({ instance }: { readonly instance: Instance }) {
  const check = checkOf(instance);
  return (
    check && (
      <span class="muted">
        {' · '}next check <Countdown {...check} />
      </span>
    )
  );
}

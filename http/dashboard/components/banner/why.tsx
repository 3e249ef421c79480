import { useSignal } from '@preact/signals';
import type { Explanation } from '../../../api.ts';
import { plural } from '../../model/plural.ts';
import { lazyPart } from '../lazy.tsx';

const waitingHeight = 160;
const WhyBody = lazyPart(async () => (await import('./whyBody.tsx')).WhyBody, waitingHeight);

/** What is behind a state, for those who ask: its code is loaded when they do. */
export function Why({ explanation }: { readonly explanation: Explanation }) {
  const wasOpened = useSignal(false);
  return (
    <details class="why" onToggle={(event) => (wasOpened.value ||= event.currentTarget.open)}>
      <summary>Why? {explanation.tried.length === 0 ? 'No rule' : plural(explanation.tried.length, 'rule')}</summary>
      {wasOpened.value && <WhyBody explanation={explanation} />}
    </details>
  );
}

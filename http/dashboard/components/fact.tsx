import type { ComponentChildren } from 'preact';
import { Card } from './card.tsx';
import { Ago } from './times.tsx';
import { NoneYet } from './value.tsx';

/** One entry of a list of facts. */
export const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

/** The facts of a resource, beside what its page is about. */
export const FactsCard = ({ children }: { readonly children: ComponentChildren }) => (
  <Card title="Facts" look="aside">
    <dl class="facts facts-panel">{children}</dl>
  </Card>
);

/** How long ago something was, or that it was not yet. */
export const Moment = ({ at }: { readonly at: string | undefined }) =>
  at === undefined ? <NoneYet /> : <Ago at={at} />;

export const code = (text: string) => <code>{text}</code>;

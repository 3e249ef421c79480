import type { ComponentChildren } from 'preact';
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
  <section class="card aside" aria-label="Facts">
    <div class="card-head">
      <h2>Facts</h2>
    </div>
    <dl class="facts facts-panel">{children}</dl>
  </section>
);

/** How long ago something was, or that it was not yet. */
export const Moment = ({ at }: { readonly at: string | undefined }) =>
  at === undefined ? <NoneYet /> : <Ago at={at} />;

export const code = (text: string) => <code>{text}</code>;

import type { ComponentChildren } from 'preact';
import { dayTime } from '../words/time.ts';
import { NoneYet } from './value.tsx';

/** One entry of a list of facts. */
export const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

/** A time, by the reader's clock. */
export const Moment = ({ at }: { readonly at: string | undefined }) =>
  at === undefined ? <NoneYet /> : <time dateTime={at}>{dayTime(Date.parse(at))}</time>;

export const code = (text: string) => <code>{text}</code>;

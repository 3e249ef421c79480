import type { ComponentChildren } from 'preact';
import { Card } from '../card.tsx';
import { Fact } from '../fact.tsx';

interface FrozenProps {
  readonly name: string;
  readonly facts: readonly { readonly name: string; readonly value: string; readonly why: string }[];
  /** What needs no reason. */
  readonly children?: ComponentChildren;
}

/** What of a resource never changes, and why. */
export const Frozen = ({ name, facts, children }: FrozenProps) => (
  <Card title="Never changes">
    <dl class="facts facts-panel">
      <Fact name="Name">{name}</Fact>
      {children}
      {facts.map((one) => (
        <Fact key={one.name} name={one.name}>
          {one.value}
          <div class="small muted">{one.why}</div>
        </Fact>
      ))}
    </dl>
  </Card>
);

import type { ComponentChildren } from 'preact';

interface ScrollBoxProps {
  /** What it holds, where it is a part of the page by itself. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** What scrolls sideways where there is little room; by keyboard too, as every such box can be focused. */
export const ScrollBox = ({ label, children }: ScrollBoxProps) => {
  const box = { class: 'scroll-x', tabIndex: 0, children };
  return label === undefined ? <div {...box} /> : <section {...box} aria-label={label} />;
};

import { h } from 'preact';
import type { Shape } from './shapes.ts';

/** Shapes as SVG elements. */
export const Drawn = ({ shapes }: { readonly shapes: readonly Shape[] }) => (
  <>{shapes.map(({ tag, at, text }, index) => h(tag, { ...at, key: `${index} ${text ?? ''}` }, text))}</>
);

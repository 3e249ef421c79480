import { type Direction, type Placed, placeDiagram, wide } from '../../http/dashboard/diagram/layout.ts';
import type { DiagramModel } from '../../http/dashboard/diagram/model.ts';

/** What a page gives a picture; a larger one is shrunk to it. */
const canvas = { width: 1000, height: 1100 };
const directions: readonly Direction[] = ['LR', 'TB'];
const maxEvents = [12, 6, 4, 3, 2, 1];
/** Words may shrink to this before events are left out of labels. */
const minScale = 0.86;

const scaleOf = ({ width, height }: Placed) => Math.min(1, canvas.width / width, canvas.height / height);

/** The drawing that names the most events and is still readable in a page, rather wide than high; else the largest. */
export function placeInPage(model: DiagramModel): Placed {
  let largest = placeDiagram(model, 'LR', 1, wide);
  for (const most of maxEvents)
    for (const direction of directions) {
      const placed = placeDiagram(model, direction, most, wide);
      if (scaleOf(placed) >= minScale) return placed;
      if (scaleOf(placed) > scaleOf(largest)) largest = placed;
    }
  return largest;
}

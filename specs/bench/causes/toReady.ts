import type { Controller } from '../../../runtime/contract/controller.ts';
import { median } from '../measure.ts';
import { serviceControllers, servicesByRuntime } from '../services.ts';

export interface CausesToReady {
  /** Processor time of a service without causes, over that with them, of each round. */
  readonly ratios: readonly number[];
  readonly cpuMsEach: number;
  /** Writes of a service, with causes and without. */
  readonly writesEach: readonly number[];
}

const withoutCauses = (): readonly Controller[] =>
  serviceControllers().map(
    (controller) => Object.fromEntries(Object.entries(controller).filter(([name]) => name !== 'causes')) as Controller,
  );
const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((total, one) => total + one, 0);

/** Services to Ready, by turns with causes and without: whoever is first in a round is second in the next. */
export async function causesToReady(count: number, rounds: number): Promise<CausesToReady> {
  const ratios: number[] = [];
  const costs: number[] = [];
  const writes: number[][] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const first = await servicesByRuntime(count, round % 2 === 0 ? withoutCauses() : serviceControllers());
    const second = await servicesByRuntime(count, round % 2 === 0 ? serviceControllers() : withoutCauses());
    const [without, having] = round % 2 === 0 ? [first, second] : [second, first];
    ratios.push(without.cpuMsEach / having.cpuMsEach);
    costs.push(having.cpuMsEach);
    writes[0]?.push(sum(having.writes) / count);
    writes[1]?.push(sum(without.writes) / count);
  }
  return { ratios, cpuMsEach: median(costs), writesEach: writes.map(median) };
}

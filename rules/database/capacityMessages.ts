import { hidden, type Message, sentence } from '../words.ts';

/** The requested and the free capacity, as text. */
export interface InsufficientCapacity {
  readonly cpu: string;
  readonly memory: string;
  readonly free: string;
}

export const tooLittle = (engine: string, { cpu, memory, free }: InsufficientCapacity): Message =>
  sentence(
    'This {engine} database needs about {cpu} CPU and {memory} memory. The cluster currently has {free} available',
    { engine: hidden(engine), cpu: hidden(cpu), memory: hidden(memory), free: hidden(free) },
  );

export const noNode = (place: string, engine: string): Message =>
  sentence('There is no ready node in {place} to run this {engine} database', {
    place: hidden(place),
    engine: hidden(engine),
  });

import { type YamlReading, readYaml } from './read.ts';
import { type YamlWriting, writeYaml } from './write.ts';

/** What is to be done with a text. */
export interface Job {
  readonly does: 'read' | 'write';
  readonly text: string;
}

export type Outcome = YamlReading | YamlWriting;

export const doJob = ({ does, text }: Job): Outcome => (does === 'read' ? readYaml(text) : writeYaml(text));

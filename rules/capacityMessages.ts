import { hidden, type Message, sentence } from './words.ts';

/** The message of a workload whose nodes are all reserved. */
export const reservedMessage = (place: string): Message =>
  sentence('Every node in {place} is reserved for other work', { place: hidden(place) });

/** The message when nodes have the CPU and memory, but their kubelets accept no more pods. */
export const fullMessage = (place: string): Message =>
  sentence('No node in {place} takes another pod', { place: hidden(place) });

/** Why a deploy to such nodes is refused. */
export const fullRefusal = (place: string): string => `cannot be scheduled: no node in ${place} takes another pod`;

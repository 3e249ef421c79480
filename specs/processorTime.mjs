// Processor time of a process with what it started.
import { readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Processor time of the processes that this one started and saw end, where the machine tells it. */
function endedChildrenMs() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[13]) + Number(fields[14])) * 1000) / ticksPerSecond;
  } catch {
    return 0;
  }
}

/** Processor time of this process, its threads and the processes that it started and saw end. */
export function processorMs() {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  return (userCPUTime + systemCPUTime) / 1000 + endedChildrenMs();
}

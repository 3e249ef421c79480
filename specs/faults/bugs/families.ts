/** The known classes of bugs, each with the fault patterns that reveal it. */
export const families = {
  'effect before claim': ['crash, restart', 'crash, stale cache', 'two leaders'],
  'status before effect': ['crash, restart', 'call refused'],
  'stale view': ['crash, stale cache', 'news come late', 'list from an old view', 'two leaders'],
  'missing precondition': ['two leaders', 'changed by hand amid a pass', 'any order'],
  'swallowed error': ['call refused', 'no answer', 'conflict', 'object store', 'Git host'],
  'lost answer': ['answer lost'],
  'un-fenced leader': ['leader stands still, stand-by takes over', 'leader dies, stand-by takes over'],
  'lost requeue': ['call refused', 'crash, restart', 'event lost', 'conflict'],
  'run not compared': ['crash, restart', 'crash, stale cache', 'changed by hand'],
  'broken watch': ['watch ends', 'watch deaf', 'watch too old', 'event lost', 'relist amid a pass'],
  'stale cache': ['event late', 'event doubled', 'any order', 'relist amid a pass', 'watch too old', 'event lost'],
  'effect twice': ['answer lost', 'crash, restart', 'two leaders'],
  'secret shown': [],
  ownership: ['crash, restart', 'changed by hand'],
  'memory instead of state': ['crash, restart', 'leader dies, stand-by takes over', 'two leaders'],
  'wall time': ['clock set'],
  'hot loop': ['crash, restart'],
  'outside move': ['changed by hand', 'changed by hand amid a pass'],
  'wrong rule': ['crash, restart', 'changed by hand', 'crash, stale cache', 'Git host'],
  'wrong arrow': ['crash, restart', 'changed by hand'],
  recovery: ['changed by hand', 'Git host', 'object store'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Family = keyof typeof families;

// Words that are not written in names here, with the word to write instead (the vocabulary of the code).

/** Within a name, as one of the words it is made of. */
const withinNames = {
  hindrance: 'blocker',
  hindrances: 'blockers',
  surroundings: 'observed',
  pieces: 'ownedResources, parts',
  occasion: 'trigger',
  occasions: 'triggers',
  turnstile: 'waiters',
  fruitless: 'failures',
  forgive: 'forget',
  says: 'message',
  bring: 'reconcile',
  brought: 'reconciled',
  judge: 'compare',
  survey: 'diff',
  surplus: 'toPrune',
  foreign: 'unmanaged or external',
  contested: 'overwritten',
  landed: 'confirmWrite',
  born: 'withFirstMove',
  owers: 'sessionsWithPendingLines',
  reckon: 'restartWindow',
  stands: 'live',
  room: 'capacity',
  crowded: 'insufficientCapacity',
  purging: 'purge',
  thinning: 'retention',
};

/** Whole names. */
const whole = {
  letOne: 'releaseOne',
  whileSame: 'memoize',
  bringAbout: 'reconcile',
  isBroughtAbout: 'isInSync',
  nothingDiffers: 'emptyDiff',
  isUnseen: 'isPendingInCache',
  mayGiveWay: 'canEvict',
  notActed: 'notProvided',
  caughtUp: 'syncHistory',
  happen: 'transitionOf',
  NoAnswer: 'CommandRejected',
  passedBy: 'recordHead',
};

/** Whole names of types. */
const types = {
  Around: '…Observed',
  Pieces: '…Resources',
  Kept: 'by its role: AppliedRecord, ReaderEntry, CacheEntry …',
  Found: 'by its role: ResourceState, StorageFindings …',
  Given: '…Options for configuration, …Input for data',
  Asked: '…Request, Desired…',
  Course: 'PassState',
  Moment: 'ReconcileInput',
  Alarm: 'Timer',
  Serving: 'ServerContext',
  Said: 'Message',
  Going: 'Terminating',
  Away: 'Unavailable',
  OutsideTable: 'InvalidTransition',
  Following: 'ConditionalCommand',
  Holding: 'SessionLease',
};

/** The words that a name in camelCase is made of. */
const wordsOf = (name) => name.match(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g)?.map((word) => word.toLowerCase()) ?? [];

const insteadOf = (name) => {
  if (Object.hasOwn(whole, name)) return whole[name];
  const banned = wordsOf(name).find((word) => Object.hasOwn(withinNames, word));
  return banned === undefined ? null : withinNames[banned];
};

/** The file name without folder and endings. */
const baseOf = (filename) => /([^/\\]+?)(?:\.\w+)+$/.exec(filename)?.[1] ?? '';

/** What a pattern binds: the names of variables and parameters. */
function* boundIn(pattern) {
  switch (pattern?.type) {
    case 'Identifier':
      yield pattern;
      break;
    case 'ObjectPattern':
      for (const one of pattern.properties)
        // What is taken by its key has the name of the key.
        if (one.type === 'RestElement' || !one.shorthand) yield* boundIn(one.type === 'RestElement' ? one : one.value);
      break;
    case 'ArrayPattern':
      for (const one of pattern.elements) yield* boundIn(one);
      break;
    case 'AssignmentPattern':
      yield* boundIn(pattern.left);
      break;
    case 'RestElement':
      yield* boundIn(pattern.argument);
      break;
  }
}

/** Keys of objects are left out: facts, tables and stored fields keep their names. */
export const bannedWords = {
  create(context) {
    const check = (node, more = {}) => {
      const instead = node && (Object.hasOwn(more, node.name) ? more[node.name] : insteadOf(node.name));
      if (instead) context.report({ node, message: `"${node.name}": write ${instead}` });
    };
    const checkAll = (patterns) => {
      for (const pattern of patterns) for (const name of boundIn(pattern)) check(name);
    };
    const checkFunction = ({ id, params }) => {
      check(id);
      checkAll(params);
    };
    return {
      Program(node) {
        const instead = insteadOf(baseOf(context.filename));
        if (instead) context.report({ node, message: `the file "${baseOf(context.filename)}": write ${instead}` });
      },
      VariableDeclarator: ({ id }) => checkAll([id]),
      FunctionDeclaration: checkFunction,
      FunctionExpression: checkFunction,
      ArrowFunctionExpression: checkFunction,
      ClassDeclaration: ({ id }) => check(id),
      TSInterfaceDeclaration: ({ id }) => check(id, types),
      TSTypeAliasDeclaration: ({ id }) => check(id, types),
    };
  },
};

// Rules of this repository for oxlint; .oxlintrc.json says where they hold.
import { bannedWords } from './words.mjs';

/** The name of a called function, whether or not it is a member. */
const calledName = ({ type, name, property }) => (type === 'MemberExpression' ? property.name : name);
const isRecursive = ({ type, properties }) =>
  type === 'ObjectExpression' && properties.some(({ key }) => (key?.name ?? key?.value) === 'recursive');

const noRecursiveMkdir = {
  create: (context) => ({
    CallExpression(node) {
      if (!/^mkdir(?:Sync)?$/.test(calledName(node.callee) ?? '') || !node.arguments.some(isRecursive)) return;
      const message = 'mkdir with recursive never returns below a folder that was unlinked: use makeFolder';
      context.report({ node, message });
    },
  }),
};

export default {
  meta: { name: 'house' },
  rules: { 'no-recursive-mkdir': noRecursiveMkdir, 'banned-words': bannedWords },
};

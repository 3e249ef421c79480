import type { ASTNode } from '@marcbachmann/cel-js';
import { Uint } from '../evaluate/values.ts';
import type { Expression, Fault } from './expression.ts';
import { macroOf } from './macros.ts';
import { behind, opening } from './position.ts';

/** A parsed text as an expression, its macros taken apart; `report` receives the errors that only this step finds. */
export function takeApart(text: string, root: ASTNode, report: (fault: Fault) => void): Expression {
  const each = (nodes: readonly ASTNode[]): readonly Expression[] => nodes.map(of);
  const broken = (fault: Fault): Expression => {
    report(fault);
    return { is: 'literal', value: null, position: fault.position };
  };

  function of(node: ASTNode): Expression {
    switch (node.op) {
      case 'value':
        return literal(node.args, node.start);
      case 'id':
        return { is: 'identifier', name: node.args, position: node.start };
      case '.':
        return select(node.args[0], node.args[1]);
      case 'call':
        return node.args[0] === 'has' && node.args[1].length === 1
          ? has(node, node.args[1][0])
          : call(node.args[0], null, each(node.args[1]), opening(text, node.args[0], node.start));
      case 'rcall':
        return member(node.args);
      case 'list':
        return { is: 'list', items: each(node.args), position: node.start };
      case 'map':
        return { is: 'map', entries: node.args.map(([key, value]) => [of(key), of(value)]), position: node.start };
      default:
        return operator(node);
    }
  }

  function operator(
    node: Exclude<ASTNode, { op: 'value' | 'id' | '.' | 'call' | 'rcall' | 'list' | 'map' }>,
  ): Expression {
    switch (node.op) {
      case '!_':
        return call('!_', null, [of(node.args)], node.start);
      case '-_':
        return negated(node.args, node.start);
      case '.?':
        return call('_?._', null, [of(node.args[0]), literal(node.args[1], node.start)], behind(text, node.args[0]));
      case '?:':
        return call('_?_:_', null, each(node.args), behind(text, node.args[0]));
      default:
        return call(operators[node.op] ?? `_${node.op}_`, null, each(node.args), behind(text, node.args[0]));
    }
  }

  function literal(value: unknown, position: number): Expression {
    if (typeof value === 'bigint' && value > mostInt) return broken({ says: 'invalid int literal', position });
    return { is: 'literal', value: isUint(value) ? new Uint(value.value) : value, position };
  }

  /** A number with its sign is one literal. */
  function negated(operand: ASTNode, position: number): Expression {
    if (operand.op === 'value' && typeof operand.args === 'number')
      return { is: 'literal', value: -operand.args, position };
    if (operand.op === 'value' && typeof operand.args === 'bigint')
      return operand.args > mostInt + 1n
        ? broken({ says: 'invalid int literal', position })
        : { is: 'literal', value: -operand.args, position };
    return call('-_', null, [of(operand)], position);
  }

  const select = (operand: ASTNode, field: string): Expression => ({
    is: 'select',
    operand: of(operand),
    field,
    isTest: false,
    position: behind(text, operand),
  });

  function has(node: ASTNode, asked: ASTNode | undefined): Expression {
    const position = opening(text, 'has', node.start);
    const found = asked && of(asked);
    if (found?.is === 'select') return { ...found, isTest: true, position };
    return broken({ says: 'invalid argument to has() macro', position: found?.position ?? position });
  }

  function member([name, receiver, given]: readonly [string, ASTNode, readonly ASTNode[]]): Expression {
    const position = opening(text, name, receiver.end);
    const target = of(receiver);
    const args = each(given);
    const made = macroOf(name, args.length)?.({ target, args, position });
    if (!made) return call(name, target, args, position);
    return 'says' in made ? broken(made) : made;
  }

  return of(root);
}

const mostInt = 2n ** 63n - 1n;

const operators: Readonly<Record<string, string>> = { in: '@in', '[?]': '_[?_]', '[]': '_[_]' };

const call = (name: string, target: Expression | null, args: readonly Expression[], position: number): Expression => ({
  is: 'call',
  name,
  target,
  args,
  position,
});

const isUint = (value: unknown): value is { readonly value: bigint } =>
  typeof value === 'object' && value !== null && 'value' in value && typeof value.value === 'bigint';

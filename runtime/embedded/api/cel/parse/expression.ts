/** An expression with its macros taken apart; `position` counts from 0 in the text. */
export type Expression = Literal | Identifier | Select | Call | ListLiteral | MapLiteral | Comprehension;

interface Placed {
  readonly position: number;
}

export interface Literal extends Placed {
  readonly is: 'literal';
  readonly value: unknown;
}

export interface Identifier extends Placed {
  readonly is: 'identifier';
  readonly name: string;
}

export interface Select extends Placed {
  readonly is: 'select';
  readonly operand: Expression;
  readonly field: string;
  /** Whether it is only asked whether the field is there. */
  readonly isTest: boolean;
}

export interface Call extends Placed {
  readonly is: 'call';
  readonly name: string;
  readonly target: Expression | null;
  readonly args: readonly Expression[];
}

export interface ListLiteral extends Placed {
  readonly is: 'list';
  readonly items: readonly Expression[];
}

export interface MapLiteral extends Placed {
  readonly is: 'map';
  readonly entries: readonly (readonly [key: Expression, value: Expression])[];
}

/** A loop over a list or a map that gathers a result: what all macros over them come to. */
export interface Comprehension extends Placed {
  readonly is: 'comprehension';
  readonly range: Expression;
  readonly variables: readonly string[];
  readonly accumulator: string;
  readonly start: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** What is wrong with an expression, and where. */
export interface Fault {
  readonly says: string;
  readonly position: number;
}

import type { Read } from '../../../../api.ts';
import { Card } from '../../../components/card.tsx';
import { Empty } from '../../../components/empty.tsx';
import { Hidden } from '../../../components/value.tsx';
import { mayAct, mayReadSensitive } from '../../../store/session.ts';
import { CallFunction } from './callFunction.tsx';
import { CodeForm } from './codeForm.tsx';
import { Triggers } from './triggers.tsx';
import { onlyFunctions } from './text.ts';

interface FunctionCodeProps {
  readonly read: Read;
  /** How many copies run; null while that is not read. */
  readonly copies: number | null;
  readonly onSaved: () => void;
}

/** A function: its code, what calls it, and a call of it. */
export function FunctionCode({ read, copies, onSaved }: FunctionCodeProps) {
  if (read.resource.details['source'] !== 'function') return <Empty title="No code here" text={onlyFunctions} />;
  return (
    <>
      {mayReadSensitive() ? (
        <CodeForm read={read} copies={copies} onSaved={onSaved} />
      ) : (
        <Card label="Code" isPadded>
          <Hidden />
        </Card>
      )}
      <Triggers read={read} onSaved={onSaved} />
      {mayAct() && <CallFunction read={read} />}
    </>
  );
}

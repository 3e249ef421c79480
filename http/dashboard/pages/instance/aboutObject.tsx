import type { InstanceRead } from '../../../api.ts';
import type { AnyKindPage } from '../../kindPages/kindPage.ts';
import { InstanceFacts } from './instanceFacts.tsx';
import { OtherMachines } from './otherMachines.tsx';

interface AboutObjectProps {
  readonly instance: InstanceRead;
  readonly page: AnyKindPage | undefined;
}

/** The object of an instance, unless it is gone, and its other machines. */
export const AboutObject = ({ instance, page }: AboutObjectProps) => (
  <>
    {instance.deletedAt === undefined && <InstanceFacts instance={instance} page={page} />}
    <OtherMachines instance={instance} />
  </>
);

import { systemNamespace } from '../../../../crds/names.ts';
import type { Read } from '../../../api.ts';
import { pathTo, write } from '../../api.ts';
import { useDependents } from '../../kindPages/dependents.ts';
import { Attempts } from '../../components/attempts.tsx';
import { Command } from '../../components/copy.tsx';
import { DeleteDialog } from '../../components/deleteDialog.tsx';
import { code, Fact, FactsCard, Moment } from '../../components/fact.tsx';
import { Deletion } from '../../components/resource/deletion.tsx';
import { Value } from '../../components/value.tsx';
import { go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { useLoaded } from '../../store/loaded.ts';
import { mayAct } from '../../store/session.ts';
import { attemptsOf } from '../../model/attempts.ts';
import { programName } from '../../model/command.ts';
import { namesBy, usersOf } from '../database/text.ts';
import { detailOf, textIn } from '../../model/details.ts';
import { logicalGoes, logicalStays } from './model.ts';

interface LogicalOverviewProps {
  readonly read: Read;
}

/** What a logical database is, its attempts, and its deletion. */
export const LogicalOverview = ({ read }: LogicalOverviewProps) => (
  <>
    <div class="columns">
      <Facts read={read} />
      <div class="stack">
        <Attempts attempts={attemptsOf(read.status)} />
        <Command
          what="the command that shows the same"
          text={`${programName} api GET /logical-databases/${read.resource.name}`}
          kubectl={`kubectl get corelogicaldatabase ${read.resource.name} -n ${systemNamespace} -o yaml`}
        />
      </div>
    </div>
    {mayAct() && (
      <Deletion name={read.resource.name} dialog={(close) => <DeleteLogical read={read} onClose={close} />} />
    )}
  </>
);

const Facts = ({ read: { resource, status } }: LogicalOverviewProps) => {
  const server = detailOf(resource, 'server');
  return (
    <FactsCard>
      <Fact name="Server">
        <Value value={server} redacted>
          {(name) => <a href={addressOf.namedDatabase(name)}>{name}</a>}
        </Value>
      </Fact>
      <Fact name="Database">
        <Value value={textIn(status['database']) || detailOf(resource, 'database')} redacted>
          {code}
        </Value>
      </Fact>
      {textIn(status['username']) !== '' && <Fact name="User name">{code(textIn(status['username']))}</Fact>}
      <Fact name="Connection Secret">
        <Value value={textIn(status['connectionSecret'])} redacted>
          {code}
        </Value>
      </Fact>
      <Fact name="Created">
        <Moment at={resource.createdAt} />
      </Fact>
    </FactsCard>
  );
};

const never = () => false;

function DeleteLogical({ read: { resource }, onClose }: LogicalOverviewProps & { readonly onClose: () => void }) {
  const { name } = resource;
  const services = namesBy('connection', useDependents(resource) ?? []);
  const server = useLoaded(pathTo('GET /databases/{database}', { database: detailOf(resource, 'server') }), never).value
    ?.resource;
  const isOnShared = server?.project === '';
  return (
    <DeleteDialog
      name={name}
      goes={logicalGoes(isOnShared)}
      stays={logicalStays(isOnShared)}
      dependents={usersOf({ logical: [], services })}
      act={() => write('DELETE /logical-databases/{logicalDatabase}', { logicalDatabase: name }, { confirmName: name })}
      onDone={() => go(addressOf.project(resource))}
      onClose={onClose}
    />
  );
}

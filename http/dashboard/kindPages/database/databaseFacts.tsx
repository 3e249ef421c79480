import type { Change, Read } from '../../../api.ts';
import { Copied } from '../../components/copied.tsx';
import { code, Fact, FactsCard, Moment } from '../../components/fact.tsx';
import { Running } from '../../components/running.tsx';
import { StateChip } from '../../components/stateChip.tsx';
import { Value } from '../../components/value.tsx';
import { backupWord } from '../../model/backupState.ts';
import { hasDisk, isStopped, placeWord, storageWord } from '../../model/databaseSettings.ts';
import { detailOf, fieldsIn, textIn } from '../../model/details.ts';
import { runsOf } from '../../model/runs.ts';

interface DatabaseFactsProps {
  readonly database: Read;
  /** What waits for a deploy. */
  readonly changes?: readonly Change[];
}

/** The facts of a database. */
export const DatabaseFacts = ({ database, changes = [] }: DatabaseFactsProps) => {
  const { resource, status } = database;
  const runs = (path: string, saved: string) => runsOf(resource, changes, { path, saved });
  const engine = detailOf(resource, 'engine');
  return (
    <FactsCard>
      <Fact name="Engine">
        <Value value={engine} redacted>
          {(known) => (
            <>
              {known} {/* Only Postgres uses the version. */}
              {known === 'Postgres' && <Running {...runs('spec.version', detailOf(resource, 'version'))} />}
            </>
          )}
        </Value>
      </Fact>
      <Fact name="Runs">{placeWord(database)}</Fact>
      <Fact name="Endpoint">
        <Value value={detailOf(resource, 'host')} redacted>
          {(host) => (isStopped(database) ? <Stopped was={host} /> : <Copied text={host} what="the endpoint" />)}
        </Value>
      </Fact>
      <Fact name="Connection Secret">
        <Value value={textIn(status['connectionSecret'])} redacted>
          {(secret) => (isStopped(database) ? <Stopped was={secret} /> : code(secret))}
        </Value>
      </Fact>
      {hasDisk(database) && (
        <Fact name="Storage">
          <Value value={storageWord(database)} redacted>
            {(size) => <Running {...runs('spec.storageSize', size)} />}
          </Value>
        </Fact>
      )}
      <BackupFact resource={resource} />
      <Fact name="Created">
        <Moment at={resource.createdAt} />
      </Fact>
    </FactsCard>
  );
};

/** What a stop took away; the status keeps it, because the next deploy brings it back. */
const Stopped = ({ was }: { readonly was: string }) => (
  <>
    <span class="muted">none while it is stopped</span>
    <div class="small muted">before: {was}</div>
  </>
);

/** Whether its data are safe; nothing while backups are off. */
const BackupFact = ({ resource }: Pick<Read, 'resource'>) => {
  const { state, message } = fieldsIn(resource.details['backup']);
  return textIn(state) === '' ? null : (
    <Fact name="Backups">
      <StateChip state={textIn(state)} shown={backupWord(textIn(state))} />
      <div class="small muted">{textIn(message)}</div>
    </Fact>
  );
};

import type { Read } from '../../../api.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { Fact, Moment } from '../../parts/fact.tsx';
import { StateChip } from '../../parts/stateChip.tsx';
import { Value } from '../../parts/value.tsx';
import { stateWord } from '../../words/state.ts';

const textIn = (fields: Readonly<Record<string, unknown>>, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
};

/** Only Postgres uses the version. */
const engineWords = (engine: string, version: string) => (engine === 'Postgres' ? `${engine} ${version}` : engine);

/** The facts of a database. */
export const DatabaseFacts = ({ database: { resource, status } }: { readonly database: Read }) => {
  const { project, environment, state, message, details, createdAt } = resource;
  const engine = textIn(details, 'engine');
  return (
    <section class="card" aria-label="Facts">
      <div class="card-head">
        <h2>Facts</h2>
      </div>
      <dl class="facts" style={{ paddingTop: '12px' }}>
        <Fact name="Ready">
          <StateChip state={state} shown={stateWord(state)} />
          {message !== '' && <div class="small muted">{message}</div>}
        </Fact>
        <Fact name="Project">
          {project === '' ? <span class="muted">shared server</span> : project}{' '}
          {environment !== '' && <span class="muted">/ {environment}</span>}
        </Fact>
        <Fact name="Engine">
          <Value value={engine} redacted>
            {(known) => <>{engineWords(known, textIn(details, 'version'))}</>}
          </Value>
        </Fact>
        <Fact name="Endpoint">
          <Value value={textIn(details, 'host')} redacted>
            {(host) => (
              <span class="copyable">
                <code title={host}>{host}</code>
                <CopyButton text={host} what="the endpoint" />
              </span>
            )}
          </Value>
        </Fact>
        <Fact name="Connection Secret">
          <Value value={textIn(status, 'connectionSecret')} redacted>
            {(secret) => <code>{secret}</code>}
          </Value>
        </Fact>
        <Fact name="Storage">
          <Value value={textIn(details, 'storageSize')}>{(size) => <>{size}</>}</Value>
        </Fact>
        <Fact name="Created">
          <Moment at={createdAt} />
        </Fact>
      </dl>
    </section>
  );
};

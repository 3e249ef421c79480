import type { ComponentChildren } from 'preact';
import { program, systemNamespace } from '../../../../crds/names.ts';
import type { BuildRead } from '../../../api.ts';
import { Command, CopyButton } from '../../parts/copy.tsx';
import { addressOf } from '../../routes.ts';
import { short } from '../../words/plural.ts';
import { dayTime } from '../../words/time.ts';

const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

const none = <span class="muted">none yet</span>;

const Hash = ({ text, what }: { readonly text: string | undefined; readonly what: string }) =>
  text === undefined || text === '' ? (
    none
  ) : (
    <span class="copyable">
      <code title={text}>{short(text)}</code>
      <CopyButton text={text} what={what} />
    </span>
  );

const Moment = ({ at }: { readonly at: string | undefined }) =>
  at === undefined ? none : <time dateTime={at}>{dayTime(Date.parse(at))}</time>;

/** What is known of a build. */
export const FactsPanel = ({ build }: { readonly build: BuildRead }) => (
  <section class="card aside" aria-label="Facts">
    <div class="card-head">
      <h2>Facts</h2>
    </div>
    <dl class="facts" style={{ paddingTop: '12px' }}>
      <Fact name="Service">
        <a href={addressOf.app(build.app)}>{build.app}</a>
      </Fact>
      <Fact name="Project">
        {build.project} <span class="muted">/ {build.environment}</span>
      </Fact>
      <Fact name="Repository">
        {build.repository} <span class="muted">{build.branch}</span>
      </Fact>
      <Fact name="Commit">
        <Hash text={build.commit} what="the commit" />
      </Fact>
      <Fact name="Image">{build.image === '' ? none : <code>{build.image}</code>}</Fact>
      <Fact name="Digest">
        <Hash text={build.imageDigest} what="the digest of the image" />
      </Fact>
      <Fact name="Checks">
        {build.ciChecks.length === 0 ? (
          <span class="muted">none</span>
        ) : (
          `${build.ciState}: ${build.ciChecks.join(', ')}`
        )}
      </Fact>
      <Fact name="Failed pods">{build.retryCount}</Fact>
      <Fact name="Job">{build.jobRef === '' ? none : <code>{build.jobRef}</code>}</Fact>
      <Fact name="Log">
        {build.logRef === '' ? none : <a href={addressOf.build(build.name, 'log')}>{build.logRef}</a>}
      </Fact>
      {build.lastLogLine !== '' && (
        <Fact name="Last line">
          <code>{build.lastLogLine}</code>
        </Fact>
      )}
      {build.failureReason !== undefined && <Fact name="Failed for">{build.failureReason}</Fact>}
      <Fact name="Created">
        <Moment at={build.createdAt} />
      </Fact>
      <Fact name="Started">
        <Moment at={build.startedAt} />
      </Fact>
      <Fact name="Completed">
        <Moment at={build.completedAt} />
      </Fact>
    </dl>
    <div class="card-body" style={{ paddingTop: 0 }}>
      <Command
        what={`the command that shows what ${program} keeps`}
        text={`kubectl get corebuild ${build.name} -n ${systemNamespace} -o yaml`}
      />
    </div>
  </section>
);

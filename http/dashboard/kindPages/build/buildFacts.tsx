import type { BuildRead } from '../../../api.ts';
import { Card } from '../../components/card.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { code, Fact, Moment } from '../../components/fact.tsx';
import { Value } from '../../components/value.tsx';
import { addressOf } from '../../routes.ts';
import { short } from '../../model/plural.ts';

const Hash = ({ text, what }: { readonly text: string; readonly what: string }) => (
  <span class="copyable">
    <code title={text}>{short(text)}</code>
    <CopyButton text={text} what={what} />
  </span>
);

/** The facts of a build. */
export const BuildFacts = ({ build }: { readonly build: BuildRead }) => (
  <Card title="Facts">
    <dl class="facts" style={{ paddingTop: '12px' }}>
      <Fact name="Service">
        <a href={addressOf.named(build.app)}>{build.app}</a>
      </Fact>
      <Fact name="Project">
        {build.project} <span class="muted">/ {build.environment}</span>
      </Fact>
      <Fact name="Repository">
        <Value value={build.repository} redacted>
          {(repository) => (
            <>
              {repository} <span class="muted">{build.branch}</span>
            </>
          )}
        </Value>
      </Fact>
      <Fact name="Commit">
        <Value value={build.commit}>{(hash) => <Hash text={hash} what="the commit" />}</Value>
      </Fact>
      <Fact name="Image">
        <Value value={build.image} redacted>
          {code}
        </Value>
      </Fact>
      <Fact name="Digest">
        <Value value={build.imageDigest}>{(hash) => <Hash text={hash} what="the digest of the image" />}</Value>
      </Fact>
      <Fact name="Checks">
        {build.ciChecks.length === 0 ? (
          <span class="muted">none</span>
        ) : (
          `${build.ciState}: ${build.ciChecks.join(', ')}`
        )}
      </Fact>
      <Fact name="Failed pods">{build.retryCount}</Fact>
      <Fact name="Job">
        <Value value={build.jobRef} redacted>
          {code}
        </Value>
      </Fact>
      <Fact name="Log">
        <Value value={build.logRef} redacted>
          {(ref) => <a href="?view=log">{ref}</a>}
        </Value>
      </Fact>
      {build.lastLogLine !== '' && (
        <Fact name="Last line">
          <code>{build.lastLogLine}</code>
        </Fact>
      )}
      {build.failureReason !== undefined && <Fact name="Reason">{build.failureReason}</Fact>}
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
  </Card>
);

import { Frame } from '../../components/frame.tsx';
import { isAdmin } from '../../store/session.ts';
import { AdminOnly } from '../../components/settings/adminOnly.tsx';
import { CodeForm } from './codeForm.tsx';
import { codeOf } from './request.ts';
import { Review } from './review.tsx';
import { pageHelp } from './text.ts';

/** The page on which an admin approves the sign-in of a command line, by the code it shows (DEV-006). */
export function DevicePage({ code }: { readonly code: string }) {
  if (!isAdmin()) return <AdminOnly title="Approve a sign-in" what="approve sign-ins of command lines" />;
  const asked = codeOf(code);
  return (
    <Frame title="Approve a sign-in">
      <div class="stack narrow">
        <div>
          <h1>Approve a sign-in</h1>
          <p class="muted">{pageHelp}</p>
        </div>
        {asked === null ? (
          <CodeForm key={code} code={code} isWrong={code !== ''} />
        ) : (
          <Review key={asked} code={asked} />
        )}
      </div>
    </Frame>
  );
}

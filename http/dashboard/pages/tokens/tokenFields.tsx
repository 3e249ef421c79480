import { useSignal } from '@preact/signals';
import { yearsAfter } from '../../model/time.ts';
import { Choice } from '../../components/choice.tsx';
import { now } from '../../store/clock.ts';
import { accessMeans, accessWords } from '../../model/access.ts';
import { day } from '../../model/time.ts';
import { TokenPlace } from './tokenPlace.tsx';
import { defaultExpiry, expiries, expiryOf, roles } from './choices.ts';
import { projectTokenHelp, neverExpiresHelp } from './text.ts';

/** The fields of a new token: its name, its access, and its expiry. */
export function TokenFields() {
  const isProject = useSignal(false);
  const expiry = useSignal(defaultExpiry);
  return (
    <>
      <label class="field">
        Name
        <input class="input" name="name" required maxLength={64} autocomplete="off" autofocus />
      </label>
      <fieldset class="choices">
        <legend>Access</legend>
        {roles.map((role) => (
          <Choice
            key={role}
            name="reach"
            value={role}
            label={accessWords[role]}
            help={accessMeans[role]}
            chosen={role === 'observer'}
            onChoose={() => (isProject.value = false)}
          />
        ))}
        <Choice
          name="reach"
          value="project"
          label="project token"
          help={projectTokenHelp}
          onChoose={() => (isProject.value = true)}
        />
      </fieldset>
      {isProject.value && <TokenPlace />}
      <div class="pair">
        <label class="field">
          Expires
          <select
            class="select"
            name="expiry"
            value={expiry.value}
            onChange={(event) => (expiry.value = expiryOf(event.currentTarget.value))}
          >
            {Object.entries(expiries).map(([value, word]) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </select>
        </label>
        {expiry.value === 'date' && (
          <label class="field">
            Day
            <input
              class="input"
              type="date"
              name="date"
              required
              min={day(now.value)}
              max={day(yearsAfter(now.value, 10))}
            />
          </label>
        )}
      </div>
      {expiry.value === 'never' && <p class="small muted">{neverExpiresHelp}</p>}
    </>
  );
}

import { Choice } from '../../parts/choice.tsx';
import { TextField } from '../../parts/form/textField.tsx';
import { modes, type NewService, runtimes, type Source } from '../../words/newService.ts';

export interface StepProps {
  readonly service: NewService;
  readonly onChange: (change: Partial<NewService>) => void;
}

interface SourceFieldsProps extends StepProps {
  /** Every source, where none is named. */
  readonly offered?: readonly Source[];
}

const sources: readonly (readonly [Source, string, string])[] = [
  ['image', 'Image', 'Runs an image as it is.'],
  ['git', 'Repository', 'Builds a repository, and again on every push.'],
  ['function', 'Function', 'Runs a piece of code without a build.'],
];

/** Where a new service comes from. */
export const SourceFields = ({ service, onChange, offered }: SourceFieldsProps) => (
  <>
    <fieldset class="choices choices-row">
      <legend>Source</legend>
      {sources
        .filter(([value]) => offered?.includes(value) ?? true)
        .map(([value, word, means]) => (
          <Choice
            key={value}
            name="source"
            value={value}
            word={word}
            means={means}
            chosen={service.source === value}
            onChoose={() => onChange({ source: value })}
          />
        ))}
    </fieldset>
    {service.source === 'image' && (
      <TextField
        word="Image"
        value={service.image}
        placeholder="registry.example.com/team/web:1.0"
        onValue={(image) => onChange({ image })}
      />
    )}
    {service.source === 'git' && (
      <div class="pair">
        <TextField
          word="Repository"
          value={service.repository}
          placeholder="owner/name"
          onValue={(repository) => onChange({ repository })}
        />
        <TextField word="Branch" value={service.branch} onValue={(branch) => onChange({ branch })} />
      </div>
    )}
    {service.source === 'function' && <FunctionFields service={service} onChange={onChange} />}
  </>
);

const FunctionFields = ({ service, onChange }: StepProps) => (
  <>
    <div class="pair">
      <label class="field">
        Runtime
        <select
          class="select"
          value={service.runtime}
          onChange={(event) => onChange({ runtime: event.currentTarget.value })}
        >
          {runtimes.map((runtime) => (
            <option key={runtime} value={runtime}>
              {runtime}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        Called by
        <select class="select" value={service.mode} onChange={(event) => onChange({ mode: event.currentTarget.value })}>
          {modes.map(([mode, word]) => (
            <option key={mode} value={mode}>
              {word}
            </option>
          ))}
        </select>
      </label>
    </div>
    <label class="field">
      Code
      <textarea
        class="input area mono"
        rows={10}
        spellcheck={false}
        value={service.code}
        onInput={(event) => onChange({ code: event.currentTarget.value })}
      />
    </label>
  </>
);

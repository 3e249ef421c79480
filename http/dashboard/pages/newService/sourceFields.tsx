import { useId } from 'preact/hooks';
import { Choice } from '../../components/choice.tsx';
import { FieldProblem } from '../../components/form/fieldProblem.tsx';
import { useRefusal } from '../../components/form/refusal.ts';
import { TextField } from '../../components/form/textField.tsx';
import { type CheckedField, modes, type NewService, runtimes, type Source } from '../../model/newService.ts';
import { imageHelp, repositoryHelp, functionHelp } from './text.ts';

export interface StepProps {
  readonly service: NewService;
  readonly onChange: (change: Partial<NewService>) => void;
  /** A field is left, and may be checked. */
  readonly onLeave: (field: CheckedField) => void;
}

interface SourceFieldsProps extends StepProps {
  /** Every source, where none is named. */
  readonly offered?: readonly Source[];
}

const sources: readonly (readonly [Source, string, string])[] = [
  ['image', 'Image', imageHelp],
  ['git', 'Repository', repositoryHelp],
  ['function', 'Function', functionHelp],
];

/** Where a new service comes from. */
export const SourceFields = ({ service, onChange, onLeave, offered }: SourceFieldsProps) => (
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
            label={word}
            help={means}
            chosen={service.source === value}
            onChoose={() => onChange({ source: value })}
          />
        ))}
    </fieldset>
    {service.source === 'image' && (
      <TextField
        name="image"
        label="Image"
        value={service.image}
        placeholder="registry.example.com/team/web:1.0"
        onValue={(image) => onChange({ image })}
        onLeave={() => onLeave('image')}
      />
    )}
    {service.source === 'git' && (
      <div class="pair">
        <TextField
          name="repository"
          label="Repository"
          value={service.repository}
          placeholder="owner/name"
          onValue={(repository) => onChange({ repository })}
          onLeave={() => onLeave('repository')}
        />
        <TextField label="Branch" value={service.branch} onValue={(branch) => onChange({ branch })} />
      </div>
    )}
    {service.source === 'function' && <FunctionFields service={service} onChange={onChange} onLeave={onLeave} />}
  </>
);

const FunctionFields = ({ service, onChange, onLeave }: Omit<SourceFieldsProps, 'offered'>) => (
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
    <Code service={service} onChange={onChange} onLeave={onLeave} />
  </>
);

function Code({ service, onChange, onLeave }: Omit<SourceFieldsProps, 'offered'>) {
  const id = useId();
  const { problem } = useRefusal('code');
  return (
    <div class="stack-tight">
      <label class="field">
        Code
        <textarea
          class="input area mono"
          rows={10}
          spellcheck={false}
          value={service.code}
          aria-invalid={problem !== ''}
          aria-describedby={problem === '' ? undefined : id}
          onInput={(event) => onChange({ code: event.currentTarget.value })}
          onBlur={() => onLeave('code')}
        />
      </label>
      <FieldProblem id={id} text={problem} />
    </div>
  );
}

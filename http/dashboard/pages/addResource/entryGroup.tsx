import { Card } from '../../components/card.tsx';
import { Choice } from '../../components/choice.tsx';
import type { ResourceEntry } from './model.ts';

interface EntryGroupProps {
  readonly title: string;
  readonly entries: readonly ResourceEntry[];
  /** The key of the chosen entry of all groups. */
  readonly chosen: string;
  readonly onChoose: (entry: ResourceEntry) => void;
}

/** Some things that can be added; what cannot be now says why. */
export const EntryGroup = ({ title, entries, chosen, onChoose }: EntryGroupProps) => (
  <Card label={title} isPadded>
    <fieldset class="choices choices-cards">
      <legend>{title}</legend>
      {entries.map((entry) => (
        <Choice
          key={entry.key}
          name="resource"
          value={entry.key}
          label={entry.label}
          help={entry.refused ?? entry.help}
          chosen={entry.key === chosen}
          disabled={entry.refused !== null}
          onChoose={() => onChoose(entry)}
        />
      ))}
    </fieldset>
  </Card>
);

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { ApiResult } from '../../api.ts';
import { refusedField } from '../../model/form.ts';
import { fieldsOf } from '../../model/formData.ts';
import { Refused } from '../refused.tsx';
import { type FormButton, FormButtons } from './formButtons.tsx';
import { FormRefusal, noRefusal, type Refusal } from './refusal.ts';
import { SavedMark } from './savedMark.tsx';
import type { Saving } from './useSaved.ts';

/** Reads what is filled in, by the name of a field. */
export type ReadField = (name: string) => string;

/** What a form without a request comes to: it leads on, or changes what the page holds. */
export const nothingSent: ApiResult<null> = { is: 'ok', value: null };

interface FormProps<T> {
  /** The classes of the form. */
  readonly look?: string;
  readonly label?: string;
  /** The fields by their names in the API: a refusal that begins with one stands at it. */
  readonly fields?: Parameters<typeof refusedField>[0];
  /** The field that every refusal is about, where there is no other. */
  readonly onlyField?: string;
  /** Why what is filled in cannot be sent; null where it can. */
  readonly problem?: (read: ReadField) => string | Refusal | null;
  /** Asks before it is sent, where something is lost by it. */
  readonly ask?: (go: () => void) => void;
  /** Sends what is filled in; `button` is the name of the button that was pressed. */
  readonly send: (read: ReadField, button: string) => Promise<ApiResult<T>>;
  readonly onDone: (value: T, form: HTMLFormElement) => void;
  /** Called with the reason when it was refused, or could not be sent. */
  readonly onRefused?: (why: string) => void;
  readonly buttons: readonly FormButton[];
  /** What stands before the buttons. */
  readonly lead?: ComponentChildren;
  /** What is said beside the buttons once it is sent, where the form stays. */
  readonly saving?: Saving;
  /** Whether it is said: not while something else is typed. */
  readonly isSavedShown?: boolean;
  /** What stands below the fields while nothing is sent. */
  readonly notice?: ComponentChildren;
  /** What a field was left with, before the form was sent. */
  readonly left?: Refusal;
  /** Whether a refusal goes as somebody types. */
  readonly isForgiving?: boolean;
  /** Gives the form up: a dialog closes, settings are shown as they are. */
  readonly onCancel?: () => void;
  readonly isCancelDisabled?: boolean;
  /** Where the buttons stand in their line, or that they are no line of their own. */
  readonly end?: 'right' | 'left' | 'alone';
  /** Whether a refusal stands below the form, which is one line. */
  readonly isRefusalBelow?: boolean;
  readonly hasOwnChecks?: boolean;
  /** The fields, and the buttons where they stand among them. */
  readonly children: ComponentChildren | ((state: FormState) => ComponentChildren);
}

/** What a form that places its buttons knows. */
interface FormState {
  readonly isRefused: boolean;
  readonly buttons: ComponentChildren;
}

const usual = {
  look: 'form',
  left: noRefusal,
  hasOwnChecks: false,
  isForgiving: false,
  isRefusalBelow: false,
} as const;

/** Fields that are sent together: one request at a time, why it was refused at its field, and that it is saved. */
export function Form<T>(props: FormProps<T>) {
  const { look, label, children, onCancel, left, hasOwnChecks, isForgiving, isRefusalBelow } = { ...usual, ...props };
  const form = useRef<HTMLFormElement>(null);
  const { busy, refusal, press, forget } = useForm(props);
  const shown = refusal.text === '' ? left : refusal;
  const buttons = (
    <FormButtons
      buttons={props.buttons}
      busy={busy}
      isCancelDisabled={props.isCancelDisabled === true}
      {...(onCancel && { onCancel: () => (forget(), onCancel()) })}
      onPress={(button) => form.current && press(form.current, button)}
    />
  );
  const refused = <Refused text={shown.field === '' ? shown.text : ''} />;
  const submit = (event: Event) => {
    event.preventDefault();
    const button = props.buttons.find(({ isSubmit }) => isSubmit);
    if (button && form.current) press(form.current, button.name ?? '');
  };
  return (
    <>
      <form
        ref={form}
        class={look}
        aria-label={label}
        noValidate={hasOwnChecks || undefined}
        onInput={isForgiving ? forget : undefined}
        onSubmit={submit}
      >
        <FormRefusal.Provider value={shown}>
          {typeof children === 'function' ? children({ isRefused: shown.text !== '', buttons }) : children}
        </FormRefusal.Provider>
        {busy === null && props.notice}
        {!isRefusalBelow && refused}
        {typeof children !== 'function' && <EndOfForm {...props} buttons={buttons} />}
      </form>
      {isRefusalBelow && refused}
    </>
  );
}

interface EndOfFormProps extends Pick<FormProps<never>, 'end' | 'saving' | 'isSavedShown' | 'lead'> {
  readonly buttons: ComponentChildren;
}

/** The buttons of a form in their line, and beside them that it is saved. */
const EndOfForm = ({ end = 'right', saving, isSavedShown = true, lead, buttons }: EndOfFormProps) =>
  end === 'alone' ? (
    <>{buttons}</>
  ) : (
    <div class={end === 'right' ? 'dialog-end' : undefined}>
      {saving && <SavedMark words={isSavedShown ? saving.words : ''} />}
      {lead}
      {buttons}
    </div>
  );

/** One request of a form at a time. */
function useForm<T>({ fields = [], problem, send, onDone, onRefused, saving, ...props }: FormProps<T>) {
  const busy = useSignal<string | null>(null);
  const refusal = useSignal<Refusal>(noRefusal);
  const refuse = (why: string | Refusal | null) => {
    refusal.value =
      typeof why === 'object' ? (why ?? noRefusal) : { field: props.onlyField ?? refusedField(fields, why), text: why };
  };
  const run = async (form: HTMLFormElement, read: ReadField, button: string) => {
    busy.value = button;
    saving?.forget();
    const result = await send(read, button);
    busy.value = null;
    refuse(result.is === 'ok' ? null : result.error);
    if (result.is !== 'ok') return onRefused?.(result.error);
    saving?.taken();
    onDone(result.value, form);
  };
  return {
    busy: busy.value,
    refusal: refusal.value,
    forget: () => refuse(null),
    press: (form: HTMLFormElement, button: string) => {
      const pressed = props.buttons.find(({ name = '' }) => name === button);
      if (busy.value !== null || pressed?.isDisabled === true) return;
      const read = fieldsOf(form);
      refuse(problem?.(read) ?? null);
      if (refusal.value.text !== '') return onRefused?.(refusal.value.text);
      const go = () => void run(form, read, button);
      if (props.ask) props.ask(go);
      else go();
    },
  };
}

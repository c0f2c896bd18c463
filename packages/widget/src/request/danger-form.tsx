/** Asks again before it sends an option that allows an action and that the requester marked as dangerous. */
import type { Interaction, Option } from '@holdpoint/protocol';
import { pickField } from '@holdpoint/protocol/answers';
import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { OwnText } from '../blocks/untrusted.tsx';
import type { Values } from '../form/form-state.ts';
import { englishDanger } from '../strings/danger-words.ts';
import { filled } from '../strings/strings.ts';
import { danger as rules } from '../style/danger.ts';
import { addRules } from '../style/sheets.ts';
import { translated } from './closed-state.tsx';
import type { QuestionProps, RequestActions, RequestCardProps, Sent } from './request-props.ts';

const isDangerous = ({ kind, variant }: Option): boolean =>
  variant === 'danger' && (kind?.startsWith('allow') ?? false);

const dangerousOptions = (interaction: Interaction): readonly Option[] =>
  interaction.kind === 'approval' ? (pickField(interaction)?.options.filter(isDangerous) ?? []) : [];

export const hasDanger = (interaction: Interaction): boolean => dangerousOptions(interaction).length > 0;

function dangerousIn(interaction: Interaction, values: Values): Option | undefined {
  const name = pickField(interaction)?.name ?? '';
  return dangerousOptions(interaction).find(({ value }) => value === values[name]);
}

/** Shows no error, because the person chose not to send. */
const notSent: Sent = { ok: false, problems: [], message: '' };

interface Asked {
  option: Option;
  decide(isSure: boolean): void;
}

export function DangerForm({ form: Form, ...props }: RequestCardProps & { form: ComponentType<RequestCardProps> }) {
  const { actions } = props;
  const [asked, ask] = useState<Asked>();
  const open = useRef<Asked>(undefined);
  open.current = asked;
  useEffect(() => () => open.current?.decide(false), []);
  const confirmed = useMemo(
    (): RequestActions => ({
      ...actions,
      async answer(interaction, values, ...rest) {
        const option = dangerousIn(interaction, values);
        const isSure = !option || (await new Promise<boolean>((decide) => ask({ option, decide })));
        ask(undefined);
        return isSure ? actions.answer(interaction, values, ...rest) : notSent;
      },
    }),
    [actions],
  );
  return (
    <>
      <Form {...props} actions={confirmed} />
      {asked && <Confirm {...props} {...asked} />}
    </>
  );
}

/** A layer above everything. Escape closes it alone, and the focus begins on the button that changes nothing. */
function Confirm({ interaction, option, decide, strings }: QuestionProps & Asked) {
  const box = useRef<HTMLDialogElement>(null);
  const words = strings.danger ?? englishDanger;
  const label = <OwnText text={translated(option, strings).label} />;
  useLayoutEffect(() => {
    addRules(box.current?.getRootNode(), rules);
    box.current?.showModal();
  }, []);
  return (
    <dialog
      class="confirm"
      ref={box}
      aria-labelledby="confirm-title"
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.stopPropagation();
      }}
      onCancel={(event) => {
        event.preventDefault();
        decide(false);
      }}
    >
      <h3 id="confirm-title">{filled(words.confirm, label)}</h3>
      <OwnText tag="p" text={interaction.title} />
      <p class="hint">{words.why}</p>
      <div class="actions">
        <button type="button" class="button danger" onClick={() => decide(true)}>
          <span>{filled(words.yes, label)}</span>
        </button>
        {/* biome-ignore lint/a11y/noAutofocus: the dialog moves the focus, and this is its safe button */}
        <button type="button" class="button" autoFocus onClick={() => decide(false)}>
          {strings.back}
        </button>
      </div>
    </dialog>
  );
}

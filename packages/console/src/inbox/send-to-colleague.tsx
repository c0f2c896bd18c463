/** The dialog that gives a request to a colleague, and then shows the link to send. */
import { defined, fail, type Interaction, limits, problem } from '@holdpoint/protocol';
import { newKey } from '@holdpoint/protocol/new-key';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { isAssigned, useMe } from '../me.ts';
import { AssigneePicker } from '../parts/assignee-picker.tsx';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/code.tsx';
import type { Option } from '../parts/combobox.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, FormDialog, useForm } from '../parts/form.tsx';
import { VisibleText } from '../parts/inline.tsx';
import { Assignees } from '../parts/who.tsx';
import { addressOf } from '../route.ts';
import { service } from '../service.ts';

interface SendToColleagueProps {
  interaction: Interaction;
  onSent(): void;
  onClose(): void;
}

/** The colleague of a sent request, and the link that carries a token if they have no account. */
interface Sent {
  name: string;
  tokenLink?: string;
}

export function SendToColleague({ interaction, onSent, onClose }: SendToColleagueProps) {
  // As it was when the dialog opened. Afterwards the user may no longer see it.
  const [{ id, responder, resolution }] = useState(interaction);
  const [sent, setSent] = useState<Sent>();
  const { assignees } = responder;
  if (sent?.tokenLink !== undefined)
    return (
      <LinkDialog link={sent.tokenLink} onClose={onClose}>
        <p class="note warn">
          Whoever opens this link answers as <VisibleText text={sent.name} />, without signing in. Send it to them
          alone. It works for seven days, and you cannot see it again.
        </p>
      </LinkDialog>
    );
  const isGiven = sent !== undefined;
  if (isGiven || !assignees || 'of' in resolution)
    return (
      <LinkDialog link={addressOf('inbox', id)} onClose={onClose}>
        <div class="dialog-text">
          <p>
            {isGiven ? (
              <>
                Send this link to <VisibleText text={sent.name} />.
              </>
            ) : assignees ? (
              <>
                Only <Assignees assignees={assignees} /> may answer this request.
              </>
            ) : (
              'Any admin or member may answer this request.'
            )}{' '}
            The link opens it after they sign in. It gives nobody else access.
          </p>
          <Assured interaction={interaction} />
        </div>
      </LinkDialog>
    );
  return (
    <ChooseColleague
      interaction={interaction}
      onClose={onClose}
      onSent={(given) => {
        setSent(given);
        onSent();
      }}
    />
  );
}

const Assured = ({ interaction: { assurance } }: Pick<SendToColleagueProps, 'interaction'>) =>
  assurance === 'passkey' ? <p>They confirm the answer with their passkey.</p> : null;

const missingColleague = (): never =>
  fail('invalid-input', 'Choose a colleague.', { problems: [problem('/to', 'required', 'Choose a colleague.')] });

interface ChooseColleagueProps extends Pick<SendToColleagueProps, 'interaction' | 'onClose'> {
  onSent(sent: Sent): void;
}

function ChooseColleague({ interaction, onClose, onSent }: ChooseColleagueProps) {
  const me = useMe();
  const { id: interactionId, responder, assurance } = interaction;
  const [colleague, setColleague] = useState<Option>();
  const [idempotencyKey] = useState(newKey);
  const form = useForm(
    { reason: '' },
    async ({ reason }) => {
      if (!colleague) return missingColleague();
      const { id: to, name } = colleague;
      await service.delegateInteraction({
        interactionId,
        to,
        idempotencyKey,
        ...defined({ reason: reason || undefined }),
      });
      if (to.startsWith('person:')) return onSent({ name });
      const { token } = await service.mintResponderToken({
        responderId: to,
        interactionId,
        ttlSeconds: limits.responderTokenSeconds,
      });
      onSent({ name, tokenLink: `${location.origin}/a/#${token}` });
    },
    ['to'],
  );
  // Only admins create tokens, and whoever answers with an assurance must sign in.
  const hasOutsiders = me.isAdmin && !assurance;
  return (
    <FormDialog title="Send to a colleague" verb="Send" form={form} onClose={onClose}>
      <AssigneePicker
        label="Colleague"
        hint={
          isAssigned(interaction, me.person)
            ? 'They answer in your place.'
            : 'They may answer too, next to those who may already.'
        }
        placeholder={hasOutsiders ? 'Name, email or id' : 'Search by name or email'}
        picked={colleague}
        onPick={setColleague}
        without={[`person:${me.person.id}`, ...(responder.assignees ?? [])]}
        hasOutsiders={hasOutsiders}
        fault={form.faults.of.to}
      />
      <Field
        label="Note (optional)"
        hint="Kept in the log of the thread."
        {...form.field('reason')}
        maxLength={2_000}
      />
      <p class="hint">
        {assurance === 'passkey'
          ? 'This request needs a passkey, so your colleague signs in and confirms with theirs.'
          : assurance
            ? 'Your colleague signs in to answer this request.'
            : hasOutsiders
              ? 'A colleague signs in to answer. Somebody without an account here answers by a personal link.'
              : 'Your colleague signs in to answer. For somebody without an account here, ask an admin.'}
      </p>
    </FormDialog>
  );
}

interface LinkDialogProps {
  link: string;
  onClose(): void;
  children: ComponentChildren;
}

const LinkDialog = ({ link, onClose, children }: LinkDialogProps) => (
  <Dialog title="Link to this request" onClose={onClose}>
    {children}
    <div class="secret">
      <code>{link}</code>
      <CopyButton text={link} what="the link" label="Copy link" />
    </div>
    <div class="actions">
      <Button text="Done" look="primary" onClick={onClose} />
    </div>
  </Dialog>
);

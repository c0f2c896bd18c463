/** The dialog in which an admin replaces the assignees of a request. */
import { defined, type Interaction } from '@holdpoint/protocol';
import { newKey } from '@holdpoint/protocol/new-key';
import { useState } from 'preact/hooks';
import { useAssignee } from '../look-up.ts';
import { AssigneePicker } from '../parts/assignee-picker.tsx';
import { Button } from '../parts/button.tsx';
import { type EditProps, Field, FormDialog, useForm } from '../parts/form.tsx';
import { toast } from '../parts/toasts.tsx';
import { Assignee } from '../parts/who.tsx';
import { service } from '../service.ts';

interface ReassignProps extends Omit<EditProps<Interaction>, 'before'> {
  interaction: Interaction;
}

export function Reassign({ interaction, onClose, onSaved }: ReassignProps) {
  // As it was when the dialog opened: the user must see a change by somebody else before replacing it.
  const [{ id: interactionId, version: expectedVersion, responder, assurance }] = useState(interaction);
  const [assignees, setAssignees] = useState(responder.assignees ?? []);
  const form = useForm(
    { reason: '' },
    async ({ reason }) => {
      const given = { assignees, expectedVersion, ...defined({ reason: reason || undefined }) };
      await service.reassignInteraction({ interactionId, ...given, idempotencyKey: newKey() });
      toast('Reassigned the request.');
      onSaved();
      onClose();
    },
    ['assignees'],
  );
  return (
    <FormDialog title="Reassign this request" verb="Reassign" form={form} onClose={onClose}>
      <AssigneePicker
        label="Add a person or group"
        hint={assurance ? undefined : 'Or enter the id of somebody who is known only to your own application.'}
        placeholder="Search by name or email"
        picked={undefined}
        onPick={(assignee) => assignee && setAssignees([...assignees, assignee.id])}
        without={assignees}
        isRepeated
        hasGroups
        hasOutsiders={!assurance}
        fault={form.faults.of.assignees}
      />
      {assignees.length > 0 ? (
        <ul class="members" aria-label="May answer from now on">
          {assignees.map((assignee) => (
            <Chosen
              key={assignee}
              assignee={assignee}
              onRemove={() => setAssignees(assignees.filter((each) => each !== assignee))}
            />
          ))}
        </ul>
      ) : (
        <p class="hint">{responder.assignees ? 'Add whoever may answer from now on.' : 'Anyone may answer now.'}</p>
      )}
      <Field
        label="Reason (optional)"
        hint="Kept in the log of the thread."
        {...form.field('reason')}
        maxLength={2_000}
      />
      <p class="hint">A claim ends. Votes stay.</p>
    </FormDialog>
  );
}

function Chosen({ assignee, onRemove }: { assignee: string; onRemove(): void }) {
  const { name } = useAssignee(assignee);
  return (
    <li>
      <span>
        <Assignee assignee={assignee} />
      </span>
      <Button text="Remove" name={`Remove ${name}`} look="small" onClick={onRemove} />
    </li>
  );
}

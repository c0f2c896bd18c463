/** Makes a key, and shows it once. */
import type { CreatedApiKey } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { Choices } from '../parts/choices.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { service } from '../service.ts';
import { FormActions } from './form-actions.tsx';
import { SecretOnce } from './secret-once.tsx';
import { useSubmit } from './use-submit.ts';

const roles = [
  { value: 'agent', title: 'Agent', does: 'Asks, waits, cancels, and answers as an agent.' },
  { value: 'admin', title: 'Admin', does: 'Also answers for people, mints tokens, and manages keys and webhooks.' },
] as const;

export function CreateKey({ onClose, onCreated }: { onClose(): void; onCreated(): void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<'agent' | 'admin'>('agent');
  const [created, setCreated] = useState<CreatedApiKey>();
  const { faults, isBusy, form, submit } = useSubmit(['name'], async () => {
    setCreated(await service.createApiKey({ name: name.trim(), role }));
    onCreated();
  });
  if (created)
    return (
      <Dialog title="The key is made" onClose={onClose}>
        <SecretOnce secret={created.secret ?? ''} what="the key" onDone={onClose}>
          <p>
            <b>{created.name}</b>, with the role {created.role}.
          </p>
        </SecretOnce>
      </Dialog>
    );
  return (
    <Dialog title="Create a key" onClose={onClose}>
      <form ref={form} class="form" onSubmit={submit} noValidate>
        <Field
          label="Name"
          hint="Who will use it, such as billing-agent."
          fault={faults.of.name}
          autocomplete="off"
          value={name}
          onValue={setName}
        />
        <Choices legend="Role" options={roles} value={role} onValue={setRole} />
        <FormActions verb="Create the key" {...{ faults, isBusy }} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

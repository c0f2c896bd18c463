/** Makes a key, and shows it once. */
import type { CreatedApiKey } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { service } from '../service.ts';
import { FormActions } from './form-actions.tsx';
import { SecretOnce } from './secret-once.tsx';
import { useSubmit } from './use-submit.ts';

const roles = [
  { role: 'agent', title: 'Agent', does: 'Asks, waits, cancels, and answers as an agent.' },
  { role: 'admin', title: 'Admin', does: 'Also answers for people, mints tokens, and manages keys and webhooks.' },
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
        <Field label="Name" hint="Who will use it, such as billing-agent." fault={faults.of.name}>
          {(control) => (
            <input
              {...control}
              class="control"
              autocomplete="off"
              value={name}
              onInput={({ currentTarget: { value } }) => setName(value)}
            />
          )}
        </Field>
        <fieldset class="choices">
          <legend class="legend">Role</legend>
          {roles.map((each) => (
            <label key={each.role} class="choice">
              <input type="radio" name="role" checked={role === each.role} onChange={() => setRole(each.role)} />
              <span>
                <b>{each.title}</b>
                <span class="hint">{each.does}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <FormActions verb="Create the key" {...{ faults, isBusy }} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

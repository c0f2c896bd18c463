/** Makes a public key, or changes one: its name, its agent, its origins, whether it is on. */
import type { ApiKey } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { service } from '../service.ts';
import { toast } from '../toast.ts';
import { FormActions } from './form-actions.tsx';
import { useSubmit } from './use-submit.ts';

interface EditPublicKeyProps {
  before?: ApiKey;
  onClose(): void;
  onSaved(): void;
}

export function EditPublicKey({ before, onClose, onSaved }: EditPublicKeyProps) {
  const [name, setName] = useState(before?.name ?? '');
  const [agent, setAgent] = useState(before?.public?.agent ?? '');
  const [origins, setOrigins] = useState(before?.public?.allowedOrigins.join('\n') ?? '');
  const [isEnabled, setEnabled] = useState(before?.public?.isEnabled !== false);
  const names = ['name', 'public/agent', 'public/allowedOrigins'];
  const { faults, isBusy, form, submit } = useSubmit(names, async () => {
    const settings = { agent: agent.trim(), allowedOrigins: origins.split(/[\s,]+/).filter(Boolean), isEnabled };
    if (before) await service.updateApiKey({ keyId: before.id, name: name.trim(), public: settings });
    else await service.createApiKey({ name: name.trim(), role: 'public', public: settings });
    toast(before ? `${name.trim()} is saved.` : `${name.trim()} is made.`);
    onSaved();
    onClose();
  });
  return (
    <Dialog title={before ? `Edit ${before.name}` : 'Create a public key'} onClose={onClose}>
      <form ref={form} class="form" onSubmit={submit} noValidate>
        <Field
          label="Name"
          hint="Such as the site it is for."
          fault={faults.of.name}
          autocomplete="off"
          value={name}
          onValue={setName}
        />
        <Field
          label="Agent"
          hint="Whom visitors talk to."
          fault={faults.of['public/agent']}
          autocomplete="off"
          value={agent}
          onValue={setAgent}
        />
        <Field
          label="Origins"
          hint="One on each line: https://acme.com, or https://*.acme.com for all below it, or * for anybody."
          fault={faults.of['public/allowedOrigins']}
          isLong
          isCode
          spellcheck={false}
          value={origins}
          onValue={setOrigins}
        />
        <label class="tick">
          <input type="checkbox" checked={isEnabled} onChange={() => setEnabled(!isEnabled)} />
          Pages may open conversations with it
        </label>
        <FormActions verb={before ? 'Save' : 'Create the key'} {...{ faults, isBusy }} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

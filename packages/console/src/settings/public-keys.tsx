/** Public keys, which web pages use to open conversations. */
import { type ApiKey, defined } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { usePaged } from '../load.ts';
import { CopyButton } from '../parts/code.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, FormActions, useSubmit } from '../parts/form.tsx';
import { Badge } from '../parts/inline.tsx';
import { Empty, More, Shown } from '../parts/states.tsx';
import { toast } from '../parts/toasts.tsx';
import { service } from '../service.ts';
import { RevokeButton, RevokeKey, Section } from './section.tsx';

export function PublicKeys() {
  const keys = usePaged((page) => service.listApiKeys({ limit: 200, ...page }), []);
  const [editing, setEditing] = useState<ApiKey | 'new'>();
  const [revoking, setRevoking] = useState<ApiKey>();
  const shown = (keys.data ?? []).filter(({ role, revokedAt }) => role === 'public' && !revokedAt);
  return (
    <Section
      isTitleHidden
      title="Public keys"
      lead="A public key is part of a web page. It can open conversations with one agent, from origins you list."
      action={
        <button type="button" class="button primary" onClick={() => setEditing('new')}>
          Create public key
        </button>
      }
    >
      <Shown of={keys}>
        {() =>
          shown.length === 0 ? (
            <Empty title="No public keys" icon="key">
              <p>
                Create one for each website whose visitors talk to an agent. It can only open conversations, from the
                origins you list.
              </p>
            </Empty>
          ) : (
            <ul class="rows">
              {shown.map((key) => (
                <li key={key.id} class="row">
                  <div class="row-main">
                    <p class="cell-main">
                      {key.name} {key.public?.isEnabled === false && <Badge tone="warn">Disabled</Badge>}
                    </p>
                    <p class="row-key">
                      <code>{key.publicKey}</code>
                      <CopyButton text={key.publicKey ?? ''} what={`the key ${key.name}`} />
                    </p>
                    <p class="cell-sub">
                      Agent {key.public?.agent} · {key.public?.allowedOrigins.join(', ')}
                    </p>
                  </div>
                  <div class="actions">
                    <button
                      type="button"
                      class="button small"
                      aria-label={`Edit ${key.name}`}
                      onClick={() => setEditing(key)}
                    >
                      Edit
                    </button>
                    <RevokeButton name={key.name} onClick={() => setRevoking(key)} />
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
      <More of={keys} />
      {editing && (
        <EditPublicKey
          {...defined({ before: editing === 'new' ? undefined : editing })}
          onClose={() => setEditing(undefined)}
          onSaved={keys.reload}
        />
      )}
      {revoking && (
        <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} onRevoked={keys.reload}>
          <p>
            Pages can no longer open conversations with this key. Open conversations continue. You cannot undo this.
          </p>
        </RevokeKey>
      )}
    </Section>
  );
}

interface EditPublicKeyProps {
  before?: ApiKey;
  onClose(): void;
  onSaved(): void;
}

function EditPublicKey({ before, onClose, onSaved }: EditPublicKeyProps) {
  const [name, setName] = useState(before?.name ?? '');
  const [agent, setAgent] = useState(before?.public?.agent ?? '');
  const [origins, setOrigins] = useState(before?.public?.allowedOrigins.join('\n') ?? '');
  const [isEnabled, setEnabled] = useState(before?.public?.isEnabled !== false);
  const names = ['name', 'public/agent', 'public/allowedOrigins'];
  const { faults, isBusy, form, submit } = useSubmit(names, async () => {
    const settings = { agent: agent.trim(), allowedOrigins: origins.split(/[\s,]+/).filter(Boolean), isEnabled };
    if (before) await service.updateApiKey({ keyId: before.id, name: name.trim(), public: settings });
    else await service.createApiKey({ name: name.trim(), role: 'public', public: settings });
    toast(before ? `Saved ${name.trim()}.` : `Created ${name.trim()}.`);
    onSaved();
    onClose();
  });
  return (
    <Dialog title={before ? `Edit ${before.name}` : 'Create public key'} onClose={onClose}>
      <form ref={form} class="form" onSubmit={submit} noValidate>
        <Field
          label="Name"
          hint="For example the name of the website."
          fault={faults.of.name}
          autocomplete="off"
          value={name}
          onValue={setName}
        />
        <Field
          label="Agent"
          hint="The agent that visitors talk to."
          fault={faults.of['public/agent']}
          autocomplete="off"
          value={agent}
          onValue={setAgent}
        />
        <Field
          label="Origins"
          hint="One per line: https://acme.com, https://*.acme.com for all subdomains, or * for any website."
          fault={faults.of['public/allowedOrigins']}
          isLong
          isCode
          spellcheck={false}
          value={origins}
          onValue={setOrigins}
        />
        <label class="tick">
          <input type="checkbox" checked={isEnabled} onChange={() => setEnabled(!isEnabled)} />
          Enabled
        </label>
        <FormActions verb={before ? 'Save key' : 'Create key'} {...{ faults, isBusy }} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

/** API keys of agents and backends. */
import type { ApiKey, CreatedApiKey } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { usePaged } from '../load.ts';
import { SecretOnce } from '../parts/code.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Choices, Field, FormActions, useSubmit } from '../parts/form.tsx';
import { Badge, Time } from '../parts/inline.tsx';
import { Empty, More, Shown } from '../parts/states.tsx';
import { service } from '../service.ts';
import { RevokeButton, RevokeKey, Section } from './section.tsx';

const roleWords: Record<ApiKey['role'], string> = { admin: 'Admin', agent: 'Agent', public: 'Public' };

export function ApiKeys() {
  const keys = usePaged((page) => service.listApiKeys({ limit: 200, ...page }), []);
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const [showsRevoked, setShowsRevoked] = useState(false);
  const all = (keys.data ?? []).filter(({ role }) => role !== 'public');
  const revoked = all.filter(({ revokedAt }) => revokedAt);
  const shown = showsRevoked ? all : all.filter(({ revokedAt }) => !revokedAt);
  const create = (
    <button type="button" class="button primary" onClick={() => setCreating(true)}>
      Create API key
    </button>
  );
  return (
    <Section
      isTitleHidden
      title="API keys"
      lead="Give each agent and backend its own key. The server stores only hashes."
      action={create}
    >
      <Shown of={keys}>
        {() =>
          shown.length === 0 ? (
            <Empty title="No API keys yet" icon="key">
              <p>
                Create a key for each agent and backend, so that you can revoke one without the others. The key this
                server was started with is not listed.
              </p>
            </Empty>
          ) : (
            <table class="table stacks">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Role</th>
                  <th scope="col">Created</th>
                  <th scope="col">
                    <span class="visually-hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown.map((key) => (
                  <tr key={key.id}>
                    <td class="cell-main">{key.name}</td>
                    <td>
                      <Badge tone={key.role === 'admin' ? 'info' : 'plain'}>{roleWords[key.role]}</Badge>
                    </td>
                    <td>
                      <Time at={key.createdAt} />
                    </td>
                    <td class="end">
                      {key.revokedAt ? (
                        <Badge tone="bad">Revoked</Badge>
                      ) : (
                        <RevokeButton name={key.name} onClick={() => setRevoking(key)} />
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Shown>
      {revoked.length > 0 && (
        <label class="tick card-foot">
          <input type="checkbox" checked={showsRevoked} onChange={() => setShowsRevoked(!showsRevoked)} />
          Show revoked ({revoked.length})
        </label>
      )}
      <More of={keys} />
      {isCreating && <CreateKey onClose={() => setCreating(false)} onCreated={keys.reload} />}
      {revoking && (
        <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} onRevoked={keys.reload}>
          <p>The server rejects this key within a second. You cannot undo this.</p>
          <p>If you signed in with this key, you are signed out.</p>
        </RevokeKey>
      )}
    </Section>
  );
}

const roles = [
  { value: 'agent', title: 'Agent', does: 'Creates, waits for and cancels requests, and answers as an agent.' },
  { value: 'admin', title: 'Admin', does: 'Also answers for people, creates tokens, and manages keys and webhooks.' },
] as const;

function CreateKey({ onClose, onCreated }: { onClose(): void; onCreated(): void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<'agent' | 'admin'>('agent');
  const [created, setCreated] = useState<CreatedApiKey>();
  const { faults, isBusy, form, submit } = useSubmit(['name'], async () => {
    setCreated(await service.createApiKey({ name: name.trim(), role }));
    onCreated();
  });
  if (created)
    return (
      <Dialog title="API key created" onClose={onClose}>
        <SecretOnce secret={created.secret ?? ''} what="the key" onDone={onClose}>
          <p>
            Key <b>{created.name}</b> with the role {created.role}.
          </p>
        </SecretOnce>
      </Dialog>
    );
  return (
    <Dialog title="Create API key" onClose={onClose}>
      <form ref={form} class="form" onSubmit={submit} noValidate>
        <Field
          label="Name"
          hint="The agent or backend that uses it, such as billing-agent."
          fault={faults.of.name}
          autocomplete="off"
          value={name}
          onValue={setName}
        />
        <Choices legend="Role" options={roles} value={role} onValue={setRole} />
        <FormActions verb="Create key" {...{ faults, isBusy }} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

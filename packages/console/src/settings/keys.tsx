/** API keys of agents and backends, and public keys, which web pages use to open conversations. */
import { type ApiKey, type CreatedApiKey, defined } from '@holdpoint/protocol';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Paged, usePaged } from '../load.ts';
import { useMe } from '../me.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/code.tsx';
import { Confirm, SecretDialog } from '../parts/dialog.tsx';
import { Choices, type EditProps, Field, FormDialog, Tick, useForm } from '../parts/form.tsx';
import { Badge, Time } from '../parts/inline.tsx';
import { Section } from '../parts/page.tsx';
import { Empty, Listed } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { toast } from '../parts/toasts.tsx';
import { Identified } from '../parts/who.tsx';
import { service } from '../service.ts';

/** Loads all keys, because the server does not filter them. */
function useKeys(mayShow: (key: ApiKey) => boolean): Paged<ApiKey> {
  const { data, ...rest } = usePaged((page) => service.listApiKeys({ limit: 200, ...page }), []);
  return { ...rest, data: data?.filter(mayShow) };
}

/** The button that revokes a key, and the dialog that asks first. */
function useRevoke(keys: Paged<ApiKey>, warning: ComponentChildren) {
  const { isAdmin } = useMe();
  const [revoking, setRevoking] = useState<ApiKey>();
  const button = (key: ApiKey) =>
    isAdmin && <Button text="Revoke" name={`Revoke ${key.name}`} look="small" onClick={() => setRevoking(key)} />;
  const dialog = revoking && (
    <Confirm
      title={`Revoke ${revoking.name}?`}
      verb="Revoke key"
      onConfirm={() => service.revokeApiKey({ keyId: revoking.id })}
      done={`Revoked ${revoking.name}.`}
      onDone={keys.reload}
      onClose={() => setRevoking(undefined)}
    >
      {warning}
    </Confirm>
  );
  return { button, dialog };
}

export function ApiKeys() {
  const { isAdmin } = useMe();
  const keys = useKeys(({ role }) => role !== 'public');
  const [isCreating, setCreating] = useState(false);
  const [showsRevoked, setShowsRevoked] = useState(false);
  const revoke = useRevoke(keys, <p>The server rejects this key within a second. You cannot undo this.</p>);
  const current = keys.data?.filter(({ revokedAt }) => !revokedAt);
  const revoked = (keys.data?.length ?? 0) - (current?.length ?? 0);
  return (
    <Section
      isTitleHidden
      title="API keys"
      lead="Give each agent and backend its own key. The server stores only hashes."
      action={isAdmin && <Button text="Create API key" look="primary" onClick={() => setCreating(true)} />}
    >
      <Listed
        of={{ ...keys, data: showsRevoked ? keys.data : current }}
        empty={
          <Empty title="No API keys yet" icon="key">
            Create a key for each agent and backend, so that you can revoke one without the others. The key this server
            was started with is not listed.
          </Empty>
        }
      >
        {(shown) => (
          <Table class="stacks" heads={['Name', 'Role', 'Created', ['Actions', 'visually-hidden']]}>
            {shown.map((key) => (
              <tr key={key.id}>
                <td class="cell-main">{key.name}</td>
                <td>{key.role === 'admin' ? <Badge tone="info">Admin</Badge> : <Badge>Agent</Badge>}</td>
                <td>
                  <Created of={key} />
                </td>
                <td class="end">{key.revokedAt ? <Badge tone="bad">Revoked</Badge> : revoke.button(key)}</td>
              </tr>
            ))}
          </Table>
        )}
      </Listed>
      {revoked > 0 && (
        <Tick text={`Show revoked (${revoked})`} isOn={showsRevoked} onChange={setShowsRevoked} class="card-foot" />
      )}
      {isCreating && <CreateKey onClose={() => setCreating(false)} onCreated={keys.reload} />}
      {revoke.dialog}
    </Section>
  );
}

/** The time and the creator of a key. Keys of earlier versions have no creator. */
const Created = ({ of: { createdAt, createdBy } }: { of: ApiKey }) => (
  <>
    <Time at={createdAt} />
    {createdBy && (
      <>
        {' '}
        by <Identified actor={createdBy} />
      </>
    )}
  </>
);

const roles = [
  { value: 'agent', title: 'Agent', does: 'Creates, waits for and cancels requests, and answers as an agent.' },
  { value: 'admin', title: 'Admin', does: 'Also answers for people, creates tokens, and manages keys and webhooks.' },
] as const;

function CreateKey({ onClose, onCreated }: { onClose(): void; onCreated(): void }) {
  const [role, setRole] = useState<'agent' | 'admin'>('agent');
  const [created, setCreated] = useState<CreatedApiKey>();
  const form = useForm({ name: '' }, async ({ name }) => {
    setCreated(await service.createApiKey({ name, role }));
    onCreated();
  });
  if (created)
    return (
      <SecretDialog title="API key created" what="the key" secret={created.secret} onClose={onClose}>
        Key <b>{created.name}</b> with the role {created.role}.
      </SecretDialog>
    );
  return (
    <FormDialog title="Create API key" verb="Create key" form={form} onClose={onClose}>
      <Field
        label="Name"
        hint="The agent or backend that uses it, such as billing-agent."
        {...form.field('name')}
        autocomplete="off"
      />
      <Choices legend="Role" options={roles} value={role} onValue={setRole} />
    </FormDialog>
  );
}

export function PublicKeys() {
  const { isAdmin } = useMe();
  const keys = useKeys(({ role, revokedAt }) => role === 'public' && !revokedAt);
  const [editing, setEditing] = useState<ApiKey | 'new'>();
  const revoke = useRevoke(
    keys,
    <p>Pages can no longer open conversations with this key. Open conversations continue. You cannot undo this.</p>,
  );
  return (
    <Section
      isTitleHidden
      title="Public keys"
      lead="A public key is part of a web page. It can open conversations with one agent, from origins you list."
      action={isAdmin && <Button text="Create public key" look="primary" onClick={() => setEditing('new')} />}
    >
      <Listed
        of={keys}
        empty={
          <Empty title="No public keys" icon="key">
            Create one for each website whose visitors talk to an agent. It can only open conversations, from the
            origins you list.
          </Empty>
        }
      >
        {(shown) => (
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
                  <p class="cell-sub">
                    Created <Created of={key} />
                  </p>
                </div>
                <div class="actions">
                  {isAdmin && (
                    <Button text="Edit" name={`Edit ${key.name}`} look="small" onClick={() => setEditing(key)} />
                  )}
                  {revoke.button(key)}
                </div>
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {editing && (
        <EditPublicKey
          {...defined({ before: editing === 'new' ? undefined : editing })}
          onClose={() => setEditing(undefined)}
          onSaved={keys.reload}
        />
      )}
      {revoke.dialog}
    </Section>
  );
}

function EditPublicKey({ before, onClose, onSaved }: EditProps<ApiKey>) {
  const { agent = '', allowedOrigins = [], isEnabled: wasEnabled = true } = before?.public ?? {};
  const [isEnabled, setEnabled] = useState(wasEnabled);
  const initial = {
    name: before?.name ?? '',
    'public/agent': agent,
    'public/allowedOrigins': allowedOrigins.join('\n'),
  };
  const form = useForm(initial, async ({ name, ...texts }) => {
    const origins = texts['public/allowedOrigins'].split(/[\s,]+/).filter(Boolean);
    const given = { name, public: { agent: texts['public/agent'], allowedOrigins: origins, isEnabled } };
    if (before) await service.updateApiKey({ keyId: before.id, ...given });
    else await service.createApiKey({ ...given, role: 'public' });
    toast(before ? `Saved ${name}.` : `Created ${name}.`);
    onSaved();
    onClose();
  });
  const [title, verb] = before ? [`Edit ${before.name}`, 'Save key'] : ['Create public key', 'Create key'];
  return (
    <FormDialog {...{ title, verb, form, onClose }}>
      <Field label="Name" hint="For example the name of the website." {...form.field('name')} autocomplete="off" />
      <Field label="Agent" hint="The agent that visitors talk to." {...form.field('public/agent')} autocomplete="off" />
      <Field
        label="Origins"
        hint="One per line: https://acme.com, https://*.acme.com for all subdomains, or * for any website."
        {...form.field('public/allowedOrigins')}
        isLong
        isCode
        spellcheck={false}
      />
      <Tick text="Enabled" isOn={isEnabled} onChange={setEnabled} />
    </FormDialog>
  );
}

/** The dialogs that invite a person, edit one, and show a sign-in link. */
import type { CreatePerson, InvitedPerson, Person, PersonRole, SignInLink } from '@holdpoint/protocol';
import { newKey } from '@holdpoint/protocol/new-key';
import { useState } from 'preact/hooks';
import { useGroupNames } from '../look-up.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/code.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { type EditProps, Field, FormDialog, Tick, useForm } from '../parts/form.tsx';
import { exactTime, VisibleText } from '../parts/inline.tsx';
import { toast } from '../parts/toasts.tsx';
import { savePerson, service } from '../service.ts';

const roles: readonly { value: PersonRole; title: string; does: string }[] = [
  { value: 'member', title: 'Member', does: 'Sees and answers requests for them, for their groups or for anyone.' },
  { value: 'admin', title: 'Admin', does: 'Also manages people, keys, webhooks and settings.' },
  { value: 'auditor', title: 'Auditor', does: 'Reads everything and changes nothing.' },
];

/** The roles and groups in a form about a person. */
function useChosen(before: Pick<Person, 'roles' | 'groups'>) {
  const [chosen, choose] = useState({ roles: before.roles, groups: before.groups });
  const toggled = <T extends string>(list: readonly T[], each: T): T[] =>
    list.includes(each) ? list.filter((one) => one !== each) : [...list, each];
  return {
    ...chosen,
    toggleRole: (role: PersonRole) => choose((was) => ({ ...was, roles: toggled(was.roles, role) })),
    toggleGroup: (group: string) => choose((was) => ({ ...was, groups: toggled(was.groups, group) })),
  };
}

type Chosen = ReturnType<typeof useChosen>;

const RolePicker = ({ chosen, fault }: { chosen: Chosen; fault: string | undefined }) => (
  <fieldset class="choices">
    <legend class="legend">Roles</legend>
    {roles.map(({ value, title, does }) => (
      <label key={value} class="choice">
        <input type="checkbox" checked={chosen.roles.includes(value)} onChange={() => chosen.toggleRole(value)} />
        <span>
          <b>{title}</b>
          <span class="hint">{does}</span>
        </span>
      </label>
    ))}
    {fault && <p class="fault">{fault}</p>}
  </fieldset>
);

/** From this many groups on, a search is faster than reading. */
const manyGroups = 8;

function GroupPicker({ chosen, fault }: { chosen: Chosen; fault: string | undefined }) {
  const names = useGroupNames();
  const [text, setText] = useState('');
  if (names.size === 0) return null;
  const words = text.trim().toLowerCase();
  const shown = [...names].filter(([id, name]) => `${id} ${name}`.toLowerCase().includes(words));
  return (
    <fieldset class="choices">
      <legend class="legend">Groups</legend>
      {names.size > manyGroups && (
        <input
          type="search"
          class="control"
          aria-label="Search groups"
          placeholder="Search groups"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      <div class="group-ticks">
        {shown.map(([id, name]) => (
          <Tick
            key={id}
            text={<VisibleText text={name} />}
            isOn={chosen.groups.includes(id)}
            onChange={() => chosen.toggleGroup(id)}
          />
        ))}
        {shown.length === 0 && <p class="hint">No matching groups</p>}
      </div>
      {fault && <p class="fault">{fault}</p>}
    </fieldset>
  );
}

const others = ['roles', 'groups'];

export function InvitePerson({ onClose, onSaved }: EditProps<Person>) {
  const chosen = useChosen({ roles: ['member'], groups: [] });
  const [invited, setInvited] = useState<InvitedPerson>();
  const form = useForm(
    { name: '', email: '' },
    async ({ name, email }) => {
      const { roles, groups } = chosen;
      const given: CreatePerson = { name, roles, groups, ...(email === '' ? {} : { email }) };
      setInvited(await service.createPerson({ ...given, idempotencyKey: newKey() }));
      onSaved();
    },
    others,
  );
  if (invited?.invitation) return <LinkDialog name={invited.name} link={invited.invitation} onClose={onClose} />;
  return (
    <FormDialog title="Invite a person" verb="Create invitation" form={form} onClose={onClose}>
      <Field label="Name" {...form.field('name')} autocomplete="off" maxLength={200} />
      <Field
        label="Email (optional)"
        hint="Identity providers recognize the person by it."
        type="email"
        {...form.field('email')}
        autocomplete="off"
      />
      <RolePicker chosen={chosen} fault={form.faults.of.roles} />
      <GroupPicker chosen={chosen} fault={form.faults.of.groups} />
    </FormDialog>
  );
}

export function EditPerson({ before, onClose, onSaved }: EditProps<Person> & { before: Person }) {
  const chosen = useChosen(before);
  const form = useForm(
    { name: before.name, email: before.email ?? '' },
    async ({ name, email }) => {
      const { roles, groups } = chosen;
      await savePerson({ personId: before.id, name, email: email || null, roles, groups });
      toast(`Saved ${name}.`);
      onSaved();
      onClose();
    },
    others,
  );
  return (
    <FormDialog title={`Edit ${before.name}`} verb="Save" form={form} onClose={onClose}>
      <Field label="Name" {...form.field('name')} autocomplete="off" maxLength={200} />
      <Field label="Email (optional)" type="email" {...form.field('email')} autocomplete="off" />
      <RolePicker chosen={chosen} fault={form.faults.of.roles} />
      <GroupPicker chosen={chosen} fault={form.faults.of.groups} />
    </FormDialog>
  );
}

interface LinkDialogProps {
  name: string;
  link: SignInLink;
  onClose(): void;
}

/** Shows a sign-in link once. */
export function LinkDialog({ name, link, onClose }: LinkDialogProps) {
  return (
    <Dialog title={`Sign-in link for ${name}`} onClose={onClose}>
      <div class="dialog-text">
        <p>
          Send this link to <VisibleText text={name} />. It works once, until {exactTime(link.expiresAt)}.
        </p>
      </div>
      <div class="secret">
        <code>{link.url}</code>
        <CopyButton text={link.url} what="the link" label="Copy link" />
      </div>
      <p class="note warn">
        Whoever opens it signs in as <VisibleText text={name} />. You cannot see the link again.
      </p>
      <div class="actions">
        <Button text="Done" look="primary" onClick={onClose} />
      </div>
    </Dialog>
  );
}

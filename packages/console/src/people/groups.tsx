/** Groups of people: create, rename and delete them, and change their members. */
import { defined, type Group } from '@holdpoint/protocol';
import { newKey } from '@holdpoint/protocol/new-key';
import { useState } from 'preact/hooks';
import { idFrom } from '../id-from.ts';
import { usePaged } from '../load.ts';
import { groupNames } from '../look-up.ts';
import { useMe } from '../me.ts';
import { Button, useAction } from '../parts/button.tsx';
import { Confirm, Dialog } from '../parts/dialog.tsx';
import { type EditProps, Field, FormDialog, useForm } from '../parts/form.tsx';
import { VisibleText } from '../parts/inline.tsx';
import { Section } from '../parts/page.tsx';
import { PersonPicker } from '../parts/person-picker.tsx';
import { Empty, Listed } from '../parts/states.tsx';
import { toast } from '../parts/toasts.tsx';
import { href } from '../route.ts';
import { service } from '../service.ts';
import { listPeople } from './people-list.tsx';

type Doing = { what: 'create' } | { what: 'rename' | 'delete' | 'members'; group: Group };

export function Groups() {
  const { isAdmin } = useMe();
  const groups = usePaged((page) => service.listGroups({ limit: 100, ...page }), []);
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  const changed = () => {
    void groupNames(true);
    groups.reload();
  };
  const button = (text: string, what: 'rename' | 'delete' | 'members', group: Group) => (
    <Button text={text} name={`${text}: ${group.name}`} look="small" onClick={() => setDoing({ what, group })} />
  );
  return (
    <Section
      isTitleHidden
      title="Groups"
      lead="A request can name a group. Whoever is in the group at that moment may answer it."
      action={isAdmin && <Button text="Create group" look="primary" onClick={() => setDoing({ what: 'create' })} />}
    >
      <Listed
        of={groups}
        empty={
          <Empty title="No groups yet" icon="people">
            Create one for each team that answers requests, such as Finance. Agents then ask the team, not one person.
          </Empty>
        }
      >
        {(all) => (
          <ul class="rows">
            {all.map((group) => (
              <li key={group.id} class="row">
                <div class="row-main">
                  <p class="cell-main">
                    <VisibleText text={group.name} />
                  </p>
                  <p class="cell-sub">
                    Agents name it <code>group:{group.id}</code>
                  </p>
                </div>
                <div class="actions">
                  {button('Members', 'members', group)}
                  {isAdmin && button('Rename', 'rename', group)}
                  {isAdmin && button('Delete', 'delete', group)}
                </div>
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {doing?.what === 'create' && <CreateGroup onClose={close} onSaved={changed} />}
      {doing?.what === 'rename' && <RenameGroup before={doing.group} onClose={close} onSaved={changed} />}
      {doing?.what === 'members' && <Members group={doing.group} onClose={close} />}
      {doing?.what === 'delete' && (
        <Confirm
          title={`Delete ${doing.group.name}?`}
          verb="Delete group"
          onConfirm={() => service.deleteGroup({ groupId: doing.group.id })}
          done={`Deleted ${doing.group.name}.`}
          onDone={changed}
          onClose={close}
        >
          <p>
            The people stay, and are no longer in this group. Pending requests only for the group have nobody left to
            answer them.
          </p>
        </Confirm>
      )}
    </Section>
  );
}

function CreateGroup({ onClose, onSaved }: EditProps<Group>) {
  const form = useForm({ name: '', id: '' }, async ({ name, id }) => {
    const { name: created } = await service.createGroup({
      id: id || idFrom(name),
      ...defined({ name: name || undefined }),
      idempotencyKey: newKey(),
    });
    toast(`Created ${created}.`);
    onSaved();
    onClose();
  });
  const { value: name } = form.field('name');
  return (
    <FormDialog title="Create group" verb="Create group" form={form} onClose={onClose}>
      <Field label="Name" hint="For example Finance." {...form.field('name')} autocomplete="off" maxLength={200} />
      <Field
        label="Id"
        hint="Agents name the group by it. It never changes."
        placeholder={idFrom(name)}
        {...form.field('id')}
        isCode
        autocomplete="off"
        spellcheck={false}
      />
    </FormDialog>
  );
}

function RenameGroup({ before, onClose, onSaved }: EditProps<Group> & { before: Group }) {
  const form = useForm({ name: before.name }, async ({ name }) => {
    await service.updateGroup({ groupId: before.id, name });
    toast(`Saved ${name}.`);
    onSaved();
    onClose();
  });
  return (
    <FormDialog title={`Rename ${before.name}`} verb="Save" form={form} onClose={onClose}>
      <Field label="Name" {...form.field('name')} autocomplete="off" maxLength={200} />
    </FormDialog>
  );
}

function Members({ group, onClose }: { group: Group; onClose(): void }) {
  const { isAdmin } = useMe();
  const { id: groupId, name } = group;
  const members = usePaged((page) => listPeople({ group: groupId }, page), [groupId]);
  const [add] = useAction(async (personId: string) => {
    const { name } = await service.addGroupMember({ groupId, personId });
    toast(`Added ${name}.`);
    members.reload();
  });
  const [remove] = useAction(async (personId: string) => {
    const { name } = await service.removeGroupMember({ groupId, personId });
    toast(`Removed ${name}.`);
    members.reload();
  });
  return (
    <Dialog title={`Members of ${name}`} onClose={onClose}>
      {isAdmin && (
        <PersonPicker
          label="Add a person"
          value={undefined}
          isRepeated
          without={members.data?.map(({ id }) => id) ?? []}
          onValue={(person) => person && void add(person.id)}
        />
      )}
      <Listed of={members} rows={2} empty={<p class="muted">Nobody is in this group yet.</p>}>
        {(all) => (
          <ul class="members">
            {all.map((person) => (
              <li key={person.id}>
                <a class="cell-main" href={href('people', person.id)}>
                  <VisibleText text={person.name} />
                </a>
                {isAdmin && (
                  <Button text="Remove" name={`Remove ${person.name}`} look="small" onClick={() => remove(person.id)} />
                )}
              </li>
            ))}
          </ul>
        )}
      </Listed>
      <div class="actions">
        <Button text="Done" look="primary" onClick={onClose} />
      </div>
    </Dialog>
  );
}

/** The passkeys of a person, with a button that removes each, and for the user a form that adds one. */
import type { Passkey, Person } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { useMe } from '../me.ts';
import { Button } from '../parts/button.tsx';
import { Confirm, Dialog, Fault } from '../parts/dialog.tsx';
import { Field, useForm } from '../parts/form.tsx';
import { Time, VisibleText } from '../parts/inline.tsx';
import { toast } from '../parts/toasts.tsx';
import { addPasskey, addressWithPasskeys, hasPasskeys } from '../passkeys.ts';
import { personEvent, service } from '../service.ts';

export function Passkeys({ person }: { person: Person }) {
  const { id: personId, passkeys } = person;
  const me = useMe();
  const isMe = me.person.id === personId;
  const [removing, setRemoving] = useState<Passkey>();
  const [isAdding, setAdding] = useState(false);
  const other = addressWithPasskeys();
  return (
    <>
      {passkeys.length === 0 ? (
        <p class="card-body muted">{isMe ? 'You have no passkey.' : 'There is no passkey.'}</p>
      ) : (
        <ul class="rows">
          {passkeys.map((passkey) => (
            <li key={passkey.id} class="row">
              <div class="row-main">
                <p class="cell-main">
                  <VisibleText text={passkey.name} />
                </p>
                <p class="cell-sub">
                  Added <Time at={passkey.createdAt} />
                  {passkey.lastUsedAt && (
                    <>
                      {' '}
                      · last sign-in <Time at={passkey.lastUsedAt} />
                    </>
                  )}
                </p>
              </div>
              {(isMe || me.isAdmin) && (
                <Button
                  text="Remove"
                  name={`Remove passkey: ${passkey.name}`}
                  look="small"
                  onClick={() => setRemoving(passkey)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {isMe && (
        <div class="card-body">
          {other ? (
            <p class="hint">
              Passkeys need a host name. To add one, <a href={other}>open this page at localhost</a>.
            </p>
          ) : hasPasskeys() ? (
            <div class="actions">
              <Button text="Add a passkey" onClick={() => setAdding(true)} />
            </div>
          ) : (
            <p class="hint">This browser has no passkeys here. Open this page over https, in a current browser.</p>
          )}
        </div>
      )}
      {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
      {removing && (
        <Confirm
          title="Remove this passkey?"
          verb="Remove passkey"
          onConfirm={async () => publish(await service.removePasskey({ personId, passkeyId: removing.id }))}
          done="Passkey removed."
          onClose={() => setRemoving(undefined)}
        >
          <p>
            <VisibleText text={removing.name} /> can no longer sign in or confirm answers. Answers that it confirmed
            stay valid.
          </p>
        </Confirm>
      )}
    </>
  );
}

/** The pages that show this person show the change. */
const publish = (detail: Person): void => void dispatchEvent(new CustomEvent(personEvent, { detail }));

function AddPasskey({ onClose }: { onClose(): void }) {
  const { person } = useMe();
  const form = useForm({ name: '' }, async ({ name }) => {
    await addPasskey(name);
    publish(await service.getPerson({ personId: person.id }));
    toast('Passkey added.');
    onClose();
  });
  const onSubmit = (event: Event) => {
    event.preventDefault();
    void form.submit();
  };
  return (
    <Dialog title="Add a passkey" onClose={onClose}>
      <form ref={form.element} class="form" onSubmit={onSubmit} noValidate>
        <Field
          label="Name"
          hint="To recognise it later, such as “Work laptop”. Then your device asks you to confirm."
          maxLength={200}
          {...form.field('name')}
        />
        <Fault text={form.faults.rest} />
        <div class="actions">
          <Button text="Add passkey" type="submit" look="primary" isOff={form.isBusy} />
        </div>
      </form>
    </Dialog>
  );
}

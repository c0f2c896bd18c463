/** The buttons of a webhook: test, edit, rotate its secret, disable, enable, delete. */
import type { CreatedWebhook, Webhook } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { Button, useAction } from '../parts/button.tsx';
import { Confirm, SecretDialog } from '../parts/dialog.tsx';
import { Choices } from '../parts/form.tsx';
import { durationOf } from '../parts/inline.tsx';
import { toast } from '../parts/toasts.tsx';
import { service } from '../service.ts';
import { WebhookForm } from './webhook-form.tsx';

interface WebhookActionsProps {
  webhook: Webhook;
  onChanged(): void;
  onDeleted(): void;
}

type Doing = 'edit' | 'rotate' | 'delete' | 'enable' | 'disable';

export function WebhookActions({ webhook, onChanged, onDeleted }: WebhookActionsProps) {
  const { id: webhookId, url } = webhook;
  const [doing, setDoing] = useState<Doing>();
  const [rotated, setRotated] = useState<CreatedWebhook>();
  const [test, isTesting] = useAction(() => testWebhook(webhookId));
  const close = () => setDoing(undefined);
  const button = (text: string, does: Doing) => (
    <Button text={text} name={`${text}: ${url}`} look="small" onClick={() => setDoing(does)} />
  );
  return (
    <>
      <div class="actions">
        <Button text="Test" name={`Test: ${url}`} look="small" isOff={isTesting} onClick={test} />
        {button('Edit', 'edit')}
        {button('Rotate secret', 'rotate')}
        {webhook.status === 'enabled' ? button('Disable', 'disable') : button('Enable', 'enable')}
        {button('Delete', 'delete')}
      </div>
      {doing === 'edit' && <WebhookForm before={webhook} onClose={close} onSaved={onChanged} />}
      {doing === 'enable' && <EnableWebhook webhookId={webhookId} onClose={close} onEnabled={onChanged} />}
      {doing === 'disable' && (
        <Confirm
          title="Disable this webhook?"
          verb="Disable webhook"
          isDanger={false}
          onConfirm={() => service.updateWebhook({ webhookId, status: 'disabled' })}
          done="Webhook disabled."
          onDone={onChanged}
          onClose={close}
        >
          <p>The server sends nothing to {url} until you enable the webhook. It can continue where it stopped.</p>
        </Confirm>
      )}
      {doing === 'rotate' && (
        <Confirm
          title="Rotate the secret?"
          verb="Rotate secret"
          isDanger={false}
          onConfirm={async () => setRotated(await service.rotateWebhookSecret({ webhookId }))}
          onClose={close}
        >
          <p>For one day, deliveries are signed with both secrets, so that you have time to switch.</p>
        </Confirm>
      )}
      {rotated && (
        <SecretDialog
          title="Secret rotated"
          what="the secret"
          secret={rotated.secret}
          onClose={() => setRotated(undefined)}
        >
          Deliveries to <b>{url}</b> are now signed with this secret too.
        </SecretDialog>
      )}
      {doing === 'delete' && (
        <Confirm
          title="Delete this webhook?"
          verb="Delete webhook"
          onConfirm={() => service.deleteWebhook({ webhookId })}
          done="Webhook deleted."
          onDone={onDeleted}
          onClose={close}
        >
          <p>
            The server stops sending to <b>{url}</b> and deletes the list of its deliveries. You cannot undo this.
          </p>
        </Confirm>
      )}
    </>
  );
}

const ways = [
  { value: 'last', title: 'From where it stopped', does: 'Also sends the events that it missed.' },
  { value: 'now', title: 'From now on', does: 'Skips the events that it missed.' },
] as const;

/** Enables a webhook again: from the last delivered event, or from now on. */
function EnableWebhook(props: { webhookId: string; onClose(): void; onEnabled(): void }) {
  const { webhookId, onClose, onEnabled } = props;
  const [from, setFrom] = useState<'last' | 'now'>('last');
  return (
    <Confirm
      title="Enable this webhook?"
      verb="Enable webhook"
      isDanger={false}
      onConfirm={() => service.updateWebhook({ webhookId, status: 'enabled', from })}
      done="Webhook enabled."
      onDone={onEnabled}
      onClose={onClose}
    >
      <Choices legend="Send events" options={ways} value={from} onValue={setFrom} />
    </Confirm>
  );
}

/** Sends one test event, which is not stored, and shows the result. */
async function testWebhook(webhookId: string): Promise<void> {
  const { status, error, durationMs } = await service.testWebhook({ webhookId });
  const took = `after ${durationOf(durationMs)}`;
  if (error) toast(`The test failed ${took}: ${error}`, 'bad');
  else toast(`The test succeeded: status ${status} ${took}.`);
}

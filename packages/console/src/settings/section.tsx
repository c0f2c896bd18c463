/** A section of the settings, and the controls that revoke a key. */

import type { ApiKey } from '@holdpoint/protocol';
import type { ComponentChildren } from 'preact';
import { Confirm } from '../parts/dialog.tsx';
import { toast } from '../parts/toasts.tsx';
import { service } from '../service.ts';

interface SectionProps {
  title: string;
  lead: ComponentChildren;
  action?: ComponentChildren;
  /** The tab has the same title. */
  isTitleHidden?: boolean;
  children: ComponentChildren;
}

export function Section({ title, lead, action, isTitleHidden = false, children }: SectionProps) {
  return (
    <section class="section">
      <header class="section-head">
        <div>
          <h2 class={isTitleHidden ? 'visually-hidden' : ''}>{title}</h2>
          <p class="muted">{lead}</p>
        </div>
        {action}
      </header>
      <div class="card">{children}</div>
    </section>
  );
}

export const RevokeButton = ({ name, onClick }: { name: string; onClick(): void }) => (
  <button type="button" class="button small" aria-label={`Revoke ${name}`} onClick={onClick}>
    Revoke
  </button>
);

interface RevokeKeyProps {
  apiKey: ApiKey;
  children: ComponentChildren;
  onClose(): void;
  onRevoked(): void;
}

export const RevokeKey = ({ apiKey: { id, name }, children, onClose, onRevoked }: RevokeKeyProps) => (
  <Confirm
    title={`Revoke ${name}?`}
    verb="Revoke key"
    onClose={onClose}
    onConfirm={async () => {
      await service.revokeApiKey({ keyId: id });
      toast(`Revoked ${name}.`);
      onRevoked();
    }}
  >
    {children}
  </Confirm>
);

/** Asks before a key is revoked; what follows from it is said by who knows the kind of key. */
import type { ApiKey } from '@holdpoint/protocol';
import type { ComponentChildren } from 'preact';
import { Confirm } from '../parts/confirm.tsx';
import { service } from '../service.ts';
import { toast } from '../toast.ts';

interface RevokeKeyProps {
  apiKey: ApiKey;
  children: ComponentChildren;
  onClose(): void;
  onRevoked(): void;
}

export const RevokeKey = ({ apiKey: { id, name }, children, onClose, onRevoked }: RevokeKeyProps) => (
  <Confirm
    title={`Revoke ${name}?`}
    verb="Revoke the key"
    onClose={onClose}
    onConfirm={async () => {
      await service.revokeApiKey({ keyId: id });
      toast(`${name} is revoked.`);
      onRevoked();
    }}
  >
    {children}
  </Confirm>
);

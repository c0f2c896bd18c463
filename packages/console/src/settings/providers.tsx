/** The identity providers with which people sign in: add, check, change and remove them. */
import { defined, type IdentityProvider } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { usePaged } from '../load.ts';
import { useMe } from '../me.ts';
import { Button } from '../parts/button.tsx';
import { Badge, VisibleText } from '../parts/inline.tsx';
import { Section } from '../parts/page.tsx';
import { Empty, Listed } from '../parts/states.tsx';
import { service } from '../service.ts';
import { CheckButton, CheckResult, useIssuerCheck } from './issuer-check.tsx';
import { AddressWarning, ProviderAddresses } from './provider-addresses.tsx';
import { ProviderForm } from './provider-form.tsx';
import { RemoveProvider } from './remove-provider.tsx';

type Doing = { what: 'add' } | { what: 'edit' | 'remove'; provider: IdentityProvider };

export function Providers() {
  const { isAdmin } = useMe();
  const providers = usePaged((page) => service.listIdentityProviders({ limit: 100, ...page }), []);
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  return (
    <>
      <Section
        isTitleHidden
        title="Sign-in"
        lead="People sign in with your identity provider (OpenID Connect), a passkey, or a link from an admin."
        action={isAdmin && <Button text="Add provider" look="primary" onClick={() => setDoing({ what: 'add' })} />}
      >
        <Listed
          of={providers}
          empty={
            <Empty title="No identity providers" icon="people">
              Add the provider of your company, such as Keycloak, Entra ID, Okta or Google, so that people sign in with
              the account they have. Until then, invite them under People.
            </Empty>
          }
        >
          {(all) => (
            <ul class="rows">
              {all.map((provider) => (
                <ProviderRow
                  key={provider.id}
                  provider={provider}
                  onEdit={() => setDoing({ what: 'edit', provider })}
                  onRemove={() => setDoing({ what: 'remove', provider })}
                />
              ))}
            </ul>
          )}
        </Listed>
      </Section>
      {isAdmin && <AddressWarning />}
      {(doing?.what === 'add' || doing?.what === 'edit') && (
        <ProviderForm
          {...defined({ before: doing.what === 'edit' ? doing.provider : undefined })}
          onClose={close}
          onSaved={providers.reload}
        />
      )}
      {doing?.what === 'remove' && (
        <RemoveProvider
          provider={doing.provider}
          all={providers.data ?? []}
          onRemoved={providers.reload}
          onClose={close}
        />
      )}
    </>
  );
}

interface ProviderRowProps {
  provider: IdentityProvider;
  onEdit(): void;
  onRemove(): void;
}

function ProviderRow({ provider, onEdit, onRemove }: ProviderRowProps) {
  const { isAdmin } = useMe();
  const check = useIssuerCheck();
  const { name, issuer, source } = provider;
  const isOurs = source === 'api';
  return (
    <li class="row">
      <div class="row-main">
        <p class="cell-main">
          <VisibleText text={name} /> {!isOurs && <Badge>Server configuration</Badge>}
        </p>
        <p class="cell-sub mono">{issuer}</p>
        <p class="cell-sub">{factsOf(provider).join(' · ')}</p>
        {!isOurs && (
          <p class="cell-sub">
            Set with <code>HOLDPOINT_OIDC</code> or <code>--oidc-file</code>. Change it there and restart the server.
          </p>
        )}
      </div>
      {isAdmin && (
        <div class="actions">
          <CheckButton of={check} issuer={issuer} name={`Check ${name}`} />
          {isOurs && <Button text="Edit" name={`Edit ${name}`} look="small" onClick={onEdit} />}
          {isOurs && <Button text="Remove" name={`Remove ${name}`} look="small" onClick={onRemove} />}
        </div>
      )}
      {isAdmin && <CheckResult of={check} />}
      {check.fault && (
        <p class="fault" role="alert">
          {check.fault}
        </p>
      )}
      <ProviderAddresses {...provider} />
    </li>
  );
}

function factsOf({ clientId, hasSecret, signUp, allowedDomains = [], roleClaim, groupClaim }: IdentityProvider) {
  return [
    `Client ${clientId}${hasSecret ? '' : ' without a secret'}`,
    !signUp
      ? 'Invited people only'
      : allowedDomains.includes('*')
        ? 'Everyone at the provider may sign up'
        : `Sign-up for ${allowedDomains.join(', ')}`,
    ...(roleClaim === undefined ? [] : [`Roles from ${roleClaim}`]),
    ...(groupClaim === undefined ? [] : [`Groups from ${groupClaim}`]),
  ];
}

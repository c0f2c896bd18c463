/** Adds an identity provider, or edits one. */
import type { IdentityProvider } from '@holdpoint/protocol';
import { newKey } from '@holdpoint/protocol/new-key';
import type { ComponentChildren, ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { idFrom } from '../id-from.ts';
import { useMe } from '../me.ts';
import { Choices, type EditProps, Field, FormDialog, Select, Tick, useForm } from '../parts/form.tsx';
import { toast } from '../parts/toasts.tsx';
import { service } from '../service.ts';
import { CheckButton, CheckResult, useIssuerCheck } from './issuer-check.tsx';
import { AddressWarning, ProviderAddresses } from './provider-addresses.tsx';
import {
  type ProviderChoices,
  type ProviderTexts,
  providerChoices,
  providerTexts,
  settingsOf,
} from './provider-texts.ts';
import { urlsOfNew } from './provider-urls.ts';

export function ProviderForm({ before, onClose, onSaved }: EditProps<IdentityProvider>) {
  const me = useMe();
  const [choices, setChoices] = useState(() => providerChoices(before));
  const choose = (more: Partial<ProviderChoices>) => setChoices((was) => ({ ...was, ...more }));
  const check = useIssuerCheck();
  const form = useForm<keyof ProviderTexts>(providerTexts(before), async (texts) => {
    const settings = settingsOf(texts, choices);
    if (before) await service.updateIdentityProvider({ providerId: before.id, ...settings });
    else {
      const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
      const { name, issuer, clientId } = settings;
      const id = texts.id || idFrom(name);
      await service.createIdentityProvider({ id, name, issuer, clientId, ...given, idempotencyKey: newKey() });
    }
    toast(before ? `Saved ${settings.name}.` : `Added ${settings.name}.`);
    onSaved();
    onClose();
  });
  const { field, faults } = form;
  const hasFault = (...names: (keyof ProviderTexts)[]) => names.some((name) => faults.of[name]);
  const { value: name } = field('name');
  const { value: issuer, fault: issuerFault, ...issuerField } = field('issuer');
  const urls = before ?? urlsOfNew(me, field('id').value.trim() || idFrom(name));
  const [title, verb] = before ? [`Edit ${before.name}`, 'Save provider'] : ['Add provider', 'Add provider'];
  return (
    <FormDialog {...{ title, verb, form, onClose }} class="large">
      <div class="columns">
        <Field label="Name" hint="On the button of the sign-in page." {...field('name')} autocomplete="off" />
        {!before && (
          <CodeField
            label="Id"
            hint="Small letters, digits, hyphens. Never changes."
            placeholder={idFrom(name)}
            {...field('id')}
          />
        )}
      </div>
      <section class="form-part" aria-label="Addresses">
        <p class="hint">
          {urls.callbackUrl === undefined
            ? 'Enter a name and an id to see the addresses that the provider needs.'
            : 'Enter these addresses at the provider, in the settings of the client (web application):'}
        </p>
        <ProviderAddresses {...urls} />
        <AddressWarning />
      </section>
      <div class="form-part">
        <Field
          label="Issuer"
          hint="The URL of the provider, exactly as its discovery document names it."
          {...issuerField}
          value={issuer}
          fault={issuerFault ?? check.fault}
          isCode
          type="url"
          autocomplete="off"
          spellcheck={false}
          placeholder="https://id.example.com/realms/staff"
        />
        <div class="actions">
          <CheckButton of={check} issuer={issuer} name="Check issuer" />
          <span class="hint">Changes nothing, and nobody signs in.</span>
        </div>
        <CheckResult of={check} />
      </div>
      <div class="columns">
        <CodeField label="Client ID" {...field('clientId')} />
        <Field
          label={before?.hasSecret ? 'New client secret (optional)' : 'Client secret (optional)'}
          {...field('clientSecret')}
          type="password"
          autocomplete="new-password"
          {...(before?.hasSecret ? { placeholder: 'Stored. Empty keeps it.' } : {})}
        />
      </div>
      <Choices
        legend="Who can sign in"
        options={[
          { value: 'invited', title: 'People you invited', does: 'The provider must send the email they have here.' },
          { value: 'domains', title: 'Also new people', does: 'They become members, if you allow their email domain.' },
        ]}
        value={choices.signUp ? 'domains' : 'invited'}
        onValue={(value) => choose({ signUp: value === 'domains' })}
      />
      {choices.signUp && (
        <Field
          label="Email domains"
          hint="One per line, such as example.com. * allows everyone who has an account at the provider."
          {...field('allowedDomains')}
          isLong
          isCode
          spellcheck={false}
        />
      )}
      <Part title="Roles and groups" isOpen={hasFault('roleClaim', 'roles', 'groupClaim', 'groups')}>
        <Claims {...{ field, choices, choose }} />
      </Part>
      <Part title="MCP clients" isOpen={hasFault('mcpScopes')}>
        <McpClients {...{ field, choices, choose }} />
      </Part>
      <Part title="More settings" isOpen={hasFault('contact', 'scopes')}>
        <Further {...{ field, choices, choose }} hasSecret={before?.hasSecret === true} />
      </Part>
    </FormDialog>
  );
}

/** A field for a text of a program, which no browser should complete or correct. */
const CodeField = (props: ComponentProps<typeof Field>) => (
  <Field {...props} isCode autocomplete="off" spellcheck={false} />
);

/** A closed part of the form. It opens if a field in it has an error. */
const Part = ({ title, isOpen, children }: { title: string; isOpen: boolean; children: ComponentChildren }) => (
  <details class="further" open={isOpen || undefined}>
    <summary>{title}</summary>
    <div class="form">{children}</div>
  </details>
);

interface PartProps {
  field: ReturnType<typeof useForm<keyof ProviderTexts>>['field'];
  choices: ProviderChoices;
  choose(more: Partial<ProviderChoices>): void;
}

const Claims = ({ field, choices, choose }: PartProps) => (
  <>
    <CodeField
      label="Role claim (optional)"
      hint="The claim with the roles of a user, such as roles or realm_access.roles. Without it, admins set the roles here."
      {...field('roleClaim')}
    />
    <Field
      label="Roles"
      hint="One per line: a value of the claim, and the role admin, member or auditor. Everyone else is a member."
      {...field('roles')}
      placeholder="holdpoint-admins = admin"
      isLong
      isCode
      spellcheck={false}
    />
    <CodeField
      label="Group claim (optional)"
      hint="At each sign-in, people join the groups that it names, and leave those that it no longer names."
      {...field('groupClaim')}
    />
    <Field
      label="Groups (optional)"
      hint="One per line: a value of the claim, and the id of a group. If empty, each value is the id of a group."
      {...field('groups')}
      placeholder="All finance staff = finance"
      isLong
      isCode
      spellcheck={false}
    />
    <Tick
      text="Create groups that do not exist"
      isOn={choices.createGroups}
      onChange={(createGroups) => choose({ createGroups })}
    />
  </>
);

const McpClients = ({ field, choices, choose }: PartProps) => (
  <>
    <Select
      label="Access tokens of this provider at /mcp"
      value={choices.mcpTokens}
      options={[
        ['', 'Not accepted'],
        ['jwt', 'Accepted, if signed by the provider (JWT)'],
        ['introspection', 'Accepted, if the provider confirms them (introspection)'],
      ]}
      onValue={(mcpTokens) => choose({ mcpTokens: mcpTokens as ProviderChoices['mcpTokens'] })}
    />
    <p class="hint">
      An MCP client with such a token asks and answers as its person. It answers no approvals. The token must be made
      for the address of /mcp on this server.
    </p>
    {choices.mcpTokens && (
      <CodeField
        label="Scopes for MCP clients (optional)"
        hint="What clients request from the provider. Default: openid."
        {...field('mcpScopes')}
      />
    )}
  </>
);

const Further = ({ field, choices, choose, hasSecret }: PartProps & { hasSecret: boolean }) => (
  <>
    <Field
      label="Contact (optional)"
      hint="Whom rejected users can ask, such as an email. Everyone who opens the sign-in page sees it."
      {...field('contact')}
      autocomplete="off"
    />
    <CodeField
      label="Scopes (optional)"
      hint="Requested in addition to openid. Default: profile email. Some providers send groups only for a scope."
      {...field('scopes')}
    />
    <Select
      label="How the secret is sent"
      value={choices.clientAuth}
      options={[
        ['', 'As the provider prefers'],
        ['basic', 'In a header (client_secret_basic)'],
        ['post', 'In the body (client_secret_post)'],
      ]}
      onValue={(clientAuth) => choose({ clientAuth: clientAuth as ProviderChoices['clientAuth'] })}
    />
    {hasSecret && (
      <Tick
        text="Remove the stored secret (public client)"
        isOn={choices.removesSecret}
        onChange={(removesSecret) => choose({ removesSecret })}
      />
    )}
    <Tick
      text="Trust every email of this provider. Only if its users cannot choose their own email: otherwise, anyone could sign in as one of your people."
      isOn={choices.trustEmail}
      onChange={(trustEmail) => choose({ trustEmail })}
    />
  </>
);

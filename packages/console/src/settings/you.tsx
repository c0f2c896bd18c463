/** The profile of the user: name, language, time zone, deputy, sessions and theme. */
import { defined, type Person } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { usePersonName } from '../look-up.ts';
import { useMe } from '../me.ts';
import { Button, useAction } from '../parts/button.tsx';
import { Confirm, Fault } from '../parts/dialog.tsx';
import { Field, Select, useForm } from '../parts/form.tsx';
import { exactTime, VisibleText } from '../parts/inline.tsx';
import { Section } from '../parts/page.tsx';
import { Segments } from '../parts/tabs.tsx';
import { toast } from '../parts/toasts.tsx';
import { DeputyForm } from '../people/deputy.tsx';

import { Passkeys } from '../people/passkeys.tsx';

import { Sessions } from '../people/sessions.tsx';
import { setTheme, useTheme } from '../preferences.ts';
import { savePerson, sessionEvent } from '../service.ts';
import { signOut } from '../session.ts';

const themes = { system: 'System', light: 'Light', dark: 'Dark' };
const icons = { system: 'system', light: 'light', dark: 'dark' } as const;

export function You() {
  const { person, orgId } = useMe();
  const theme = useTheme();
  const [leave, isLeaving] = useAction(async () => {
    const endSessionUrl = await signOut();
    if (endSessionUrl !== undefined) location.assign(endSessionUrl);
    else dispatchEvent(new Event(sessionEvent));
  });
  return (
    <>
      <Section title="About you" lead="Your name appears with every answer that you give.">
        <AboutForm key={person.updatedAt} person={person} />
      </Section>
      <Section
        title="Deputy"
        lead="While you are away, a colleague can answer on your behalf, under their own name. The record has both names."
      >
        <Deputy person={person} />
      </Section>
      <Section title="Passkeys" lead="With a passkey you sign in without a link, and confirm answers that need it.">
        <Passkeys person={person} />
      </Section>
      <Section title="Sessions" lead="Browsers and programs in which you are signed in.">
        <Sessions person={person} />
      </Section>
      <Section title="This browser" lead={`You work in the org ${orgId}.`}>
        <div class="card-body">
          <Segments
            legend="Theme"
            name="theme"
            options={themes}
            icons={icons}
            current={theme}
            onChange={setTheme}
            isLegendShown
          />
          <div class="actions">
            <Button text="Sign out" isOff={isLeaving} onClick={leave} />
          </div>
        </div>
      </Section>
    </>
  );
}

/** Languages for messages to people. Another tag that the record has is kept. */
const languages = [
  'en',
  'en-GB',
  'en-US',
  'de',
  'es',
  'fr',
  'it',
  'ja',
  'ko',
  'nl',
  'pl',
  'pt',
  'pt-BR',
  'sv',
  'zh',
  'ar',
];
const nameOfLanguage = (tag: string): string => {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
  return `${name.slice(0, 1).toLocaleUpperCase(tag)}${name.slice(1)} (${tag})`;
};

/** The browser's zone comes first, because most people want it. */
function zones(): readonly string[] {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return [...new Set([own, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
}

const withOwn = (all: readonly string[], own: string): readonly string[] =>
  own === '' || all.includes(own) ? all : [own, ...all];

function AboutForm({ person }: { person: Person }) {
  const { name, locale = '', timeZone = '', email } = person;
  const form = useForm({ name, locale, timeZone }, async (texts) => {
    await savePerson({
      personId: person.id,
      name: texts.name,
      locale: texts.locale || null,
      timeZone: texts.timeZone || null,
    });
    toast('Profile saved.');
  });
  const onSubmit = (event: Event) => {
    event.preventDefault();
    void form.submit();
  };
  const select = (field: 'locale' | 'timeZone') => {
    const { value, onValue } = form.field(field);
    return { value, onValue };
  };
  return (
    <form ref={form.element} class="form card-body" onSubmit={onSubmit} noValidate>
      <div class="columns">
        <Field label="Name" autocomplete="name" maxLength={200} {...form.field('name')} />
        <Select
          label="Language"
          options={withOwn(languages, locale).map((tag) => [tag, nameOfLanguage(tag)])}
          {...select('locale')}
        >
          <option value="">Not set</option>
        </Select>
        <Select
          label="Time zone"
          options={withOwn(zones(), timeZone).map((zone) => [zone, zone.replaceAll('_', ' ')])}
          {...select('timeZone')}
        >
          <option value="">Not set</option>
        </Select>
      </div>
      {email && (
        <p class="hint">
          Your email is <VisibleText text={email} />. An admin can change it.
        </p>
      )}
      <Fault text={form.faults.rest || form.faults.of.locale || form.faults.of.timeZone} />
      <div class="actions">
        <Button text="Save" type="submit" look="primary" isOff={form.isBusy} />
      </div>
    </form>
  );
}

function Deputy({ person }: { person: Person }) {
  const { deputy } = person;
  const name = usePersonName(deputy?.personId);
  const [doing, setDoing] = useState<'edit' | 'remove'>();
  const isOver = deputy !== undefined && Date.parse(deputy.until) < Date.now();
  return (
    <div class="card-body">
      {deputy ? (
        <p>
          <b>
            <VisibleText text={name ?? deputy.personId} />
          </b>{' '}
          {isOver ? 'could answer' : 'may answer'} on your behalf from {exactTime(deputy.from)} until{' '}
          {exactTime(deputy.until)}.
        </p>
      ) : (
        <p class="muted">You have no deputy.</p>
      )}
      <div class="actions">
        <Button text={deputy ? 'Change deputy' : 'Choose a deputy'} onClick={() => setDoing('edit')} />
        {deputy && <Button text="Remove deputy" onClick={() => setDoing('remove')} />}
      </div>
      {doing === 'edit' && (
        <DeputyForm person={person} {...defined({ before: deputy })} onClose={() => setDoing(undefined)} />
      )}
      {doing === 'remove' && (
        <Confirm
          title="Remove your deputy?"
          verb="Remove deputy"
          isDanger={false}
          onConfirm={() => savePerson({ personId: person.id, deputy: null })}
          done="Deputy removed."
          onClose={() => setDoing(undefined)}
        >
          <p>
            <VisibleText text={name ?? 'The deputy'} /> can no longer answer on your behalf.
          </p>
        </Confirm>
      )}
    </div>
  );
}

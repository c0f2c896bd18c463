/** Preferences of this browser and the session: the user's name, the theme, sign-out. */
import { useState } from 'preact/hooks';
import { wordsFor } from '../error-text.ts';
import { useLoad } from '../load.ts';

import { Field } from '../parts/form.tsx';
import { exactTime } from '../parts/inline.tsx';
import { Segments } from '../parts/tabs.tsx';
import { toast } from '../parts/toasts.tsx';
import { defaultName, setSignedOut, setTheme, setUserName, useTheme, useUserName } from '../preferences.ts';
import { signedOutEvent } from '../service.ts';
import { loadSession, signOut } from '../session.ts';
import { Section } from './section.tsx';

const themes = [
  { id: 'system', title: 'System', icon: 'system' },
  { id: 'light', title: 'Light', icon: 'light' },
  { id: 'dark', title: 'Dark', icon: 'dark' },
] as const;

const longestName = 256;

export function You() {
  const current = useUserName();
  const theme = useTheme();
  const session = useLoad(loadSession, []).data;
  const [name, setName] = useState(current);
  const save = (event: Event) => {
    event.preventDefault();
    setUserName(name.trim());
    setName(name.trim() || defaultName);
    toast(`You now answer as ${name.trim() || defaultName}.`);
  };
  const leave = async () => {
    try {
      await signOut();
      setSignedOut(true);
      dispatchEvent(new Event(signedOutEvent));
    } catch (error) {
      toast(wordsFor(error), 'bad');
    }
  };
  return (
    <>
      <Section title="You" lead="Saved in this browser.">
        <div class="card-body">
          <form class="name-form" onSubmit={save}>
            <Field
              label="You answer as"
              hint="The log shows your answers under this name. A request with assignees uses their names instead."
              autocomplete="nickname"
              maxLength={longestName}
              value={name}
              onValue={setName}
            />
            <button type="submit" class="button">
              Save name
            </button>
          </form>
          <Segments legend="Theme" name="theme" options={themes} current={theme} onChange={setTheme} isLegendShown />
        </div>
      </Section>
      <Section
        title="Session"
        lead={
          session?.signedIn
            ? `Signed in to the org ${session.orgId}${session.isLocal ? ' automatically (local machine)' : ''} until ${exactTime(session.expiresAt)}.`
            : 'Loading'
        }
      >
        <div class="card-body">
          <div class="actions">
            <button type="button" class="button" onClick={leave}>
              Sign out
            </button>
          </div>
        </div>
      </Section>
    </>
  );
}

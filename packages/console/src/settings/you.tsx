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
  { id: 'system', title: 'As the system', icon: 'system' },
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
    toast(`You answer as ${name.trim() || defaultName}.`);
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
      <Section title="You" lead="Kept in this browser.">
        <div class="card-body">
          <form class="name-form" onSubmit={save}>
            <Field
              label="You answer as"
              hint="Under this name answers stand in the log, where a question names nobody."
              autocomplete="nickname"
              maxLength={longestName}
              value={name}
              onValue={setName}
            />
            <button type="submit" class="button">
              Save the name
            </button>
          </form>
          <Segments legend="Colours" name="theme" options={themes} current={theme} onChange={setTheme} isLegendShown />
        </div>
      </Section>
      <Section
        title="Session"
        lead={
          session?.signedIn
            ? `Signed in to the org ${session.orgId}${session.isLocal ? ', because you are on this machine' : ''}, until ${exactTime(session.expiresAt)}.`
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

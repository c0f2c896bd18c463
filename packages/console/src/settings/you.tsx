/** Preferences of this browser and the session: the user's name, the theme, sign-out. */
import { useState } from 'preact/hooks';
import { useLoad } from '../load.ts';
import { Button, useAction } from '../parts/button.tsx';
import { Field } from '../parts/form.tsx';
import { exactTime } from '../parts/inline.tsx';
import { Section } from '../parts/page.tsx';
import { Segments } from '../parts/tabs.tsx';
import { toast } from '../parts/toasts.tsx';
import { defaultName, setSignedOut, setTheme, setUserName, useTheme, useUserName } from '../preferences.ts';
import { signedOutEvent } from '../service.ts';
import { loadSession, signOut } from '../session.ts';

const themes = { system: 'System', light: 'Light', dark: 'Dark' };
const icons = { system: 'system', light: 'light', dark: 'dark' } as const;

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
  const [leave, isLeaving] = useAction(async () => {
    await signOut();
    setSignedOut(true);
    dispatchEvent(new Event(signedOutEvent));
  });
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
            <Button text="Save name" type="submit" />
          </form>
          <Segments
            legend="Theme"
            name="theme"
            options={themes}
            icons={icons}
            current={theme}
            onChange={setTheme}
            isLegendShown
          />
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
            <Button text="Sign out" isOff={isLeaving} onClick={leave} />
          </div>
        </div>
      </Section>
    </>
  );
}

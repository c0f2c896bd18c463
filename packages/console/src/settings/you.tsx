/** What is kept in this browser: the name one answers as, light or dark, and the session. */
import { useState } from 'preact/hooks';
import { setLeft } from '../left.ts';
import { useLoad } from '../load.ts';
import { defaultName, setMe, useMe } from '../me.ts';
import { Field } from '../parts/field.tsx';
import { Segments } from '../parts/segments.tsx';
import { exactTime } from '../parts/time.tsx';
import { signedOutEvent } from '../service.ts';
import { loadSession, signOut } from '../session.ts';
import { setTheme, useTheme } from '../theme.ts';
import { toast } from '../toast.ts';
import { wordsFor } from '../words-for.ts';
import { Section } from './section.tsx';

const themes = [
  { id: 'system', title: 'As the system', icon: 'system' },
  { id: 'light', title: 'Light', icon: 'light' },
  { id: 'dark', title: 'Dark', icon: 'dark' },
] as const;

const longestName = 256;

export function You() {
  const current = useMe();
  const theme = useTheme();
  const session = useLoad(loadSession, []).data;
  const [name, setName] = useState(current);
  const save = (event: Event) => {
    event.preventDefault();
    setMe(name.trim());
    setName(name.trim() || defaultName);
    toast(`You answer as ${name.trim() || defaultName}.`);
  };
  const leave = async () => {
    try {
      await signOut();
      setLeft(true);
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

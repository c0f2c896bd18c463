/** The log of admin actions, newest first, with filters and an export. */
import { type AdminEvent, type AdminEventsFilter, type AdminEventType, defined } from '@holdpoint/protocol';
import { fullPage, usePaged } from '../load.ts';
import { useGroupNames, usePersonName } from '../look-up.ts';
import { Button, useAction } from '../parts/button.tsx';
import { EventRow } from '../parts/event-row.tsx';
import { Field, Select } from '../parts/form.tsx';
import { exactTime, VisibleText } from '../parts/inline.tsx';
import { Section } from '../parts/page.tsx';
import { PersonPicker } from '../parts/person-picker.tsx';
import { Empty, Listed } from '../parts/states.tsx';
import { toast } from '../parts/toasts.tsx';
import { Identified } from '../parts/who.tsx';
import { replaceQuery, useRoute } from '../route.ts';
import { service } from '../service.ts';
import { adminEventTitles, describeAdminEvent } from './describe-admin-event.ts';

const pageSize = 50;

export function AdminLog() {
  const { query } = useRoute();
  const wanted = Object.fromEntries(query);
  const { type = '', actor = '', subject = '', from = '', until = '' } = wanted;
  const want = (change: Record<string, string>) => replaceQuery({ ...wanted, ...change });
  const filter = filterOf({ type, actor, subject, from, until });
  const list = (page: { cursor?: string }) => service.listAdminEvents({ ...filter, limit: pageSize, ...page });
  const events = usePaged((page) => fullPage(list, page, pageSize), [filter]);
  const isNarrowed = Object.keys(filter).length > 0;
  const [save, isSaving] = useAction(() => saveExport(defined({ from: filter.from, until: filter.until })));
  return (
    <Section
      isTitleHidden
      title="Admin log"
      lead="Who changed people, groups, keys, webhooks and settings, and who signed in."
      action={
        <Button
          text={isSaving ? 'Exporting…' : from || until ? 'Export this period' : 'Export as JSON Lines'}
          isOff={isSaving}
          onClick={save}
        />
      }
    >
      <search class="bar log-bar">
        <Select label="Event" value={type} options={adminEventTitles} onValue={(type) => want({ type })}>
          <option value="">Any event</option>
        </Select>
        <PersonPicker
          label="Person"
          placeholder="Anybody"
          value={actor || undefined}
          onValue={(person) => want({ actor: person?.id ?? '' })}
        />
        <Field label="From" type="date" value={from} onValue={(from) => want({ from })} />
        <Field label="Until" type="date" value={until} onValue={(until) => want({ until })} />
        {isNarrowed && (
          <Button
            text="Clear filters"
            look="small"
            onClick={() => want({ type: '', actor: '', subject: '', from: '', until: '' })}
          />
        )}
      </search>
      {subject && <AboutSubject id={subject} />}
      <Listed
        of={events}
        rows={6}
        empty={
          <Empty title={isNarrowed ? 'No matching events' : 'No events yet'} icon="search">
            {isNarrowed ? 'Change or clear the filters.' : 'Changes and sign-ins appear here.'}
          </Empty>
        }
      >
        {(all) => (
          <ol class="event-log admin-log" aria-label="Events, newest first">
            {all.map((event) => (
              <EventLine key={event.id} event={event} />
            ))}
          </ol>
        )}
      </Listed>
    </Section>
  );
}

const AboutSubject = ({ id }: { id: string }) => (
  <p class="card-foot">
    Only changes to <VisibleText text={usePersonName(id) ?? id} />
  </p>
);

function EventLine({ event }: { event: AdminEvent }) {
  const groups = useGroupNames();
  const { at, actor, subject } = event;
  const isUnnamed = subject?.type === 'person' && subject.name === undefined;
  const subjectName = usePersonName(isUnnamed ? subject.id : undefined);
  const words = describeAdminEvent(event, { subjectName, nameOfGroup: (id) => groups.get(id) ?? id });
  return (
    <EventRow {...{ event, words }} before={actor.via === 'key' ? 'API key ' : ''} what="the event">
      <Identified actor={actor} />, {exactTime(at)}
    </EventRow>
  );
}

const dayMs = 86_400_000;

/** Both days count, in the time zone of the browser. */
function dayOf(text: string, addMs: number): string | undefined {
  const date = new Date(`${text}T00:00`);
  // A date that is half typed in has no time, or a year that no record has.
  if (Number.isNaN(date.getTime()) || date.getFullYear() < 1_970) return undefined;
  return new Date(date.getTime() + addMs).toISOString();
}

function filterOf(wanted: Record<'type' | 'actor' | 'subject' | 'from' | 'until', string>): AdminEventsFilter {
  const { type, actor, subject, from, until } = wanted;
  return defined({
    type: adminEventTitles.some(([known]) => known === type) ? (type as AdminEventType) : undefined,
    actorId: actor || undefined,
    subjectId: subject || undefined,
    from: from ? dayOf(from, 0) : undefined,
    until: until ? dayOf(until, dayMs) : undefined,
  });
}

/** Saves the events of a period as a file, page by page. */
async function saveExport(period: { from?: string; until?: string }): Promise<void> {
  const pages: string[] = [];
  let cursor: string | undefined;
  do {
    const { lines, next } = await service.exportAdminEvents({ ...period, ...defined({ cursor }) });
    pages.push(lines);
    cursor = next;
  } while (cursor !== undefined);
  const url = URL.createObjectURL(new Blob(pages, { type: 'application/x-ndjson' }));
  const name = `admin-log-${new Date().toISOString().slice(0, 10)}.jsonl`;
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  toast(`Exported ${name}.`);
}

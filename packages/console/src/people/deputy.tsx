/** The dialog that chooses a deputy for a period. */
import type { Person } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { type EditProps, Field, FormDialog, useForm } from '../parts/form.tsx';
import { PersonPicker } from '../parts/person-picker.tsx';
import { toast } from '../parts/toasts.tsx';
import { savePerson } from '../service.ts';

const dayMs = 86_400_000;

type Deputy = NonNullable<Person['deputy']>;

interface DeputyFormProps extends Omit<EditProps<Deputy>, 'onSaved'> {
  person: Person;
}

export function DeputyForm({ person, before, onClose }: DeputyFormProps) {
  const [personId, setPersonId] = useState(before?.personId);
  const initial = {
    'deputy/personId': '',
    'deputy/from': localTime(before ? new Date(before.from) : new Date()),
    'deputy/until': localTime(before ? new Date(before.until) : new Date(Date.now() + 14 * dayMs)),
  };
  const form = useForm(initial, async (texts) => {
    if (personId === undefined) throw new Error('Choose a person.');
    const [from, until] = [timeOf(texts['deputy/from']), timeOf(texts['deputy/until'])];
    if (!from || !until) throw new Error('Enter both times.');
    await savePerson({ personId: person.id, deputy: { personId, from, until } });
    toast('Deputy saved.');
    onClose();
  });
  return (
    <FormDialog title="Choose a deputy" verb="Save deputy" form={form} onClose={onClose}>
      <PersonPicker
        label="Deputy"
        hint="They may answer every question that you may answer."
        value={personId}
        without={[person.id]}
        onValue={(picked) => setPersonId(picked?.id)}
        fault={form.faults.of['deputy/personId']}
      />
      <div class="columns">
        <Field label="From" type="datetime-local" {...form.field('deputy/from')} />
        <Field label="Until" type="datetime-local" {...form.field('deputy/until')} />
      </div>
      <p class="hint">Times are in the time zone of this browser.</p>
    </FormDialog>
  );
}

/** The format of a datetime-local input: no zone, to the minute. */
const localTime = (date: Date): string =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

function timeOf(text: string): string | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** A form that is sent once at a time, and told what is wrong with it. */
import { useRef, useState } from 'preact/hooks';
import { type FormFaults, faultsOf, noFaults } from '../problems.ts';

export function useSubmit(names: readonly string[], send: () => Promise<unknown>) {
  const [faults, setFaults] = useState<FormFaults>(noFaults);
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      await send();
      setFaults(noFaults);
    } catch (error) {
      setFaults(faultsOf(error, names));
      // After the picture: the first field that is wrong, or what is said of the whole.
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid], [role="alert"]')?.focus());
    } finally {
      setBusy(false);
    }
  };
  return { faults, isBusy, form, submit };
}

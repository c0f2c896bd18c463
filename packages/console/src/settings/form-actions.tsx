/** The end of every form: what is wrong with the whole, the button that sends it, and the way out. */
import type { FormFaults } from '../problems.ts';

interface FormActionsProps {
  verb: string;
  faults: FormFaults;
  isBusy: boolean;
  onCancel(): void;
}

export function FormActions({ verb, faults, isBusy, onCancel }: FormActionsProps) {
  return (
    <>
      {faults.rest && (
        <p class="fault" role="alert" tabIndex={-1}>
          {faults.rest}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={isBusy}>
          {verb}
        </button>
        <button type="button" class="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </>
  );
}

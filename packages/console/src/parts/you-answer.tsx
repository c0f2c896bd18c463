/** Says in whose name the user decides, wherever they decide. */
import type { Person } from '@holdpoint/protocol';
import { rolesOf, useMe } from '../me.ts';
import { VisibleText } from './inline.tsx';

interface YouAnswerProps {
  verb?: string;
  /** The person in whose place the user answers, as their deputy. */
  absent?: Person | undefined;
}

export function YouAnswer({ verb = 'answer', absent }: YouAnswerProps) {
  const { person } = useMe();
  return (
    <p class="you-answer">
      <span>
        You {verb} as{' '}
        <b>
          <VisibleText text={person.name} />
        </b>
        {absent && (
          <>
            {' '}
            on behalf of{' '}
            <b>
              <VisibleText text={absent.name} />
            </b>
          </>
        )}
      </span>
      <span class="badge info">{rolesOf(person)}</span>
    </p>
  );
}

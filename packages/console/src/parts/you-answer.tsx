/** Says in whose name the user decides, wherever they decide. */
import { rolesOf, useMe } from '../me.ts';
import { VisibleText } from './inline.tsx';

export function YouAnswer({ verb = 'answer' }: { verb?: string }) {
  const { person } = useMe();
  return (
    <p class="you-answer">
      <span>
        You {verb} as{' '}
        <b>
          <VisibleText text={person.name} />
        </b>
      </span>
      <span class="badge info">{rolesOf(person)}</span>
    </p>
  );
}

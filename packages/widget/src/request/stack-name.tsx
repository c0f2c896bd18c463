/** Shows the title of a listed request. A closed request says so. */
import { VisibleText } from '../blocks/visible-text.tsx';
import { filled } from '../strings/filled.ts';
import type { Strings } from '../strings/strings.ts';

export function StackName({ title, isGone, strings }: { title: string; isGone: boolean; strings: Strings }) {
  const name = (
    <bdi>
      <VisibleText text={title} />
    </bdi>
  );
  return <>{isGone ? filled(strings.closedElsewhere, name) : name}</>;
}

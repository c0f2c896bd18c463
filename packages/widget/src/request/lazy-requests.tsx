/** A conversation without questions needs no form and no stack. Both are fetched with the first question. */
import { lazily } from '../form/lazily.tsx';

const load = () => import('./requests.ts');

export const DraftedCard = lazily(() => load().then((all) => all.DraftedCard));
export const RequestCard = lazily(() => load().then((all) => all.RequestCard));
export const RequestStack = lazily(() => load().then((all) => all.RequestStack));

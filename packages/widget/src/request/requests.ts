/** Exports everything that shows questions, as one script to fetch. */
import { guardPresses } from '../elements/press-guard.ts';

export { DraftedCard } from './drafted-card.tsx';
export { RequestCard } from './request-card.tsx';
export { RequestStack } from './request-stack.tsx';

guardPresses();

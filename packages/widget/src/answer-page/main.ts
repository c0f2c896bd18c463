/** The script of the page that a link opens: shows the question, or says why it cannot be answered. */
import type { Interaction } from '@holdpoint/protocol';
import { endedAs } from '@holdpoint/protocol/answers';
import { Api, type ApiError } from '../connection/api.ts';
import { followEvents } from '../connection/follow-events.ts';
import { isBy, readClaims, voteOf } from '../request/responder.ts';
import { linesOf } from './own-answer.ts';
import { AnswerPage } from './page.ts';
import { type PageState, wordsFor } from './words.ts';

/** Undefined for a pending question. Only the person who answered sees that they did. */
function stateOf(interaction: Interaction, responderId: string): PageState | undefined {
  const { status, answer } = interaction;
  if (status === 'pending') return undefined;
  if (status !== 'answered') return status;
  if (voteOf(interaction, responderId) || (answer && isBy(answer, responderId))) return 'sent';
  return endedAs(interaction) === 'declined' ? 'declined' : 'answered';
}

function ownAnswer(interaction: Interaction, responderId: string) {
  const { answer } = interaction;
  const own = voteOf(interaction, responderId) ?? (answer && isBy(answer, responderId) ? answer : undefined);
  return own && { responderId, lines: linesOf(interaction, own, words) };
}

const { language, words } = wordsFor(navigator.language);
document.documentElement.lang = language;
document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr';

// Browsers send no server what follows `#`, so the token is in no log.
const token = location.hash.slice(1);
// Another link in the same tab changes only this part of the address.
addEventListener('hashchange', () => location.reload());
const { interaction: interactionId, sub: responderId } = readClaims(token);
const page = new AnswerPage({ ...words, language }, () => location.reload());
if (interactionId !== undefined && responderId !== undefined) {
  const api = new Api({ server: location.origin, token });
  const ended = new AbortController();
  const load = async () => {
    const interaction = await api.getInteraction(interactionId);
    const state = stateOf(interaction, responderId);
    page.isOffline = false;
    page.showContext(interaction, responderId);
    if (state) page.show(state, interaction.title, ownAnswer(interaction, responderId));
    else page.showQuestion({ token, interactionId }, voteOf(interaction, responderId) !== undefined);
    if (interaction.status !== 'pending') ended.abort();
  };
  void followEvents({
    open: (lastEventId, signal) => api.openEvents({ interactionId }, { lastEventId, signal }),
    onOpen: load,
    onEvent: () => void load().catch(() => {}),
    onLost() {
      if (page.hasQuestion) page.isOffline = true;
      else if (!ended.signal.aborted) page.show('unreachable');
    },
    onRefused: ({ status }: ApiError) =>
      page.show(status === 401 || status === 403 ? 'linkOver' : status === 404 ? 'gone' : 'unreachable'),
    signal: ended.signal,
  });
  // The browser reports this before the stream notices.
  addEventListener('offline', () => {
    if (page.hasQuestion) page.isOffline = true;
  });
  addEventListener('online', () => void load().catch(() => {}));
} else page.show('linkBroken');

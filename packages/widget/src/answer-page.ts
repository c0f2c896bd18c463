/** The script of the page that a link leads to: shows the one question, and says what is the case where it cannot be answered. */
import { readLink } from './answer-page/link.ts';
import { stateOf, stateOfRefusal } from './answer-page/page-state.ts';
import { AnswerPage } from './answer-page/show.ts';
import { wordsFor } from './answer-page/words.ts';
import { Api, type ApiError } from './connection/api.ts';
import { followEvents } from './connection/follow-events.ts';
import { voteOf } from './request/own-vote.ts';

const { language, words } = wordsFor(navigator.language);
document.documentElement.lang = language;
document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr';

const link = readLink(location.pathname);
const page = new AnswerPage(words, () => location.reload());
if (link) {
  const { token, interactionId, responderId } = link;
  const api = new Api({ server: location.origin, token });
  const ended = new AbortController();
  const load = async () => {
    const interaction = await api.getInteraction(interactionId);
    const state = stateOf(interaction, responderId);
    page.isOffline = false;
    if (state) page.show(state, interaction.title);
    else page.showQuestion(link, voteOf(interaction, responderId) !== undefined);
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
    onRefused: (fault: ApiError) => page.show(stateOfRefusal(fault)),
    signal: ended.signal,
  });
  // Sooner than a stream that was cut is missed.
  addEventListener('offline', () => {
    if (page.hasQuestion) page.isOffline = true;
  });
  addEventListener('online', () => void load().catch(() => {}));
} else page.show('linkBroken');

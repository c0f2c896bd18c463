/** Asks with a form. The compiler knows the answer; the idempotency key finds the same question after a crash. */
import { form, Holdpoint, number, select, text } from '@holdpoint/client';

const { HOLDPOINT_URL: url = '', HOLDPOINT_AGENT_KEY: key = '', TRIP = 'trip-1' } = process.env;
const hp = new Holdpoint({ url, key });

const thread = await hp.createThread({ title: `Trip ${TRIP}`, idempotencyKey: `trip-${TRIP}` });
const question = form(
  {
    seat: select(['window', 'aisle']),
    bags: number({ min: 0, max: 3, integer: true }),
    meal: text({ required: false, placeholder: 'Vegetarian, no nuts, …' }),
  },
  { title: 'How would you like to fly?' },
);

const outcome = await hp.ask(thread, question, { idempotencyKey: `flight-${TRIP}` });

switch (outcome.status) {
  case 'answered': {
    const { seat, bags, meal = 'any meal' } = outcome.values; // 'window' | 'aisle', number, string | undefined
    console.log(`booked: ${seat} seat, bags: ${bags}, ${meal}`);
    break;
  }
  case 'declined':
    console.log(`not booked: ${outcome.reason}`);
    break;
  default:
    console.log(`not booked: the question was ${outcome.status}`);
}

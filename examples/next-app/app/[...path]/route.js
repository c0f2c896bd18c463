/** What the app has no page or route for is Holdpoint's: the API, MCP, the widget, the links, the console. */
import { holdpoint } from '../../holdpoint.js';

const handle = async (request) => (await holdpoint()).fetch(request);

export { handle as DELETE, handle as GET, handle as HEAD, handle as OPTIONS, handle as PATCH, handle as POST };

export default {
  holdpoint: {
    // Orval writes code that does not compile for a body that may be a form or the file itself.
    input: { target: './openapi.json', filters: { mode: 'exclude', tags: ['Files'] } },
    output: { target: './generated/orval.ts', client: 'fetch', baseUrl: process.env.HOLDPOINT_URL },
  },
};

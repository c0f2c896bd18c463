export default {
  holdpoint: {
    input: './openapi.json',
    output: { target: './generated/orval.ts', client: 'fetch', baseUrl: process.env.HOLDPOINT_URL },
  },
};

export { type HttpServiceOptions, httpService } from './http-service.ts';
export { type VerbRoute, verbRoutes } from './verb-routes.ts';

export type { HttpError } from './http/error.js';
export { routeGroup } from './http/group.js';
export { startServer } from './start/start-server.js';
export { startWorker } from './start/start-worker.js';

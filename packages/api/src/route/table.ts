import { COMPARISON_ROUTES } from './comparison.js';
import { FRAGMENT_ROUTES } from './fragment.js';
import { GRAPH_ROUTES } from './graph.js';
import { HOST_ROUTES } from './host.js';
import { LIBRARY_ROUTES } from './library.js';
import { PEOPLE_ROUTES } from './people.js';
import { PLATFORM_ROUTES } from './platform.js';
import { PROJECT_ROUTES } from './project.js';
import { QUOTA_ROUTES } from './quota.js';
import { RECORD_ROUTES } from './record.js';
import { RUN_ROUTES } from './runs.js';
import { SCHEDULE_ROUTES } from './schedule.js';
import { SEARCH_ROUTES } from './search.js';
import { SIGN_IN_ROUTES } from './sign-in.js';
import { TURN_ROUTES } from './turn.js';
import { WEBHOOK_ROUTES } from './webhook.js';
import { WORKER_ROUTES } from './worker.js';

/** Everything that can be asked of a server but its event stream, by the name of the client's method. */
export const ROUTES = {
  ...RUN_ROUTES,
  ...HOST_ROUTES,
  ...GRAPH_ROUTES,
  ...RECORD_ROUTES,
  ...TURN_ROUTES,
  ...COMPARISON_ROUTES,
  ...SEARCH_ROUTES,
  ...PROJECT_ROUTES,
  ...LIBRARY_ROUTES,
  ...FRAGMENT_ROUTES,
  ...PEOPLE_ROUTES,
  ...QUOTA_ROUTES,
  ...SIGN_IN_ROUTES,
  ...SCHEDULE_ROUTES,
  ...WORKER_ROUTES,
  ...WEBHOOK_ROUTES,
  ...PLATFORM_ROUTES,
} as const;

/** The path of the event stream of a run. */
export const EVENTS_PATH = '/runs/{run}/events';

/** Streams that something happened, in any run. */
export const NEWS_PATH = '/news';

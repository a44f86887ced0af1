import type { ResidentState } from '../src/life/state.js';
import { INITIAL } from '../src/life/state.js';
import type { Sight } from '../src/look/sight.js';
import { RESIDENT_DEFAULTS } from '../src/resident.js';

/** An agent that has lived for a while, and what it sees; each test says what differs. */
export const STATE: ResidentState = {
  ...INITIAL,
  agent: 'ada',
  config: { ...RESIDENT_DEFAULTS, pollMs: 60_000 },
  mode: 'running',
  day: '20261115',
  today: { daily_goals: 1 },
  thoughtAt: Date.parse('2026-11-15T12:00:00Z'),
};

export const SIGHT: Sight = {
  self: {
    cardVersion: 1,
    personality: { extrovert: 0.5, curious: 0.5, creative: 0.5, stable: 0.5 },
    capabilities: ['field notes'],
    autonomous: { enabled: true, poll_interval_seconds: 60, auto_accept_matching: true },
  },
  peers: [],
  topics: [],
  messages: [],
  tasks: [],
  feedback: [],
  skipped: 0,
};

export const topic = (
  id: string,
  mode: string,
  more: Partial<Sight['topics'][number]> = {},
): Sight['topics'][number] => ({
  topic: id,
  title: id,
  mode,
  day: '20261115',
  own: [],
  policy: { allowed: false, quota_remaining: 0, allowed_types: [] },
  requests: 0,
  ...more,
});

export const task = (more: Partial<Sight['tasks'][number]> = {}): Sight['tasks'][number] => ({
  task: 'guide',
  key: 'tasks/guide/manifest.json',
  title: 'A guide',
  summary: '{"title":"A guide"}',
  role: null,
  openRoles: [],
  others: [],
  fits: 1,
  answered: false,
  delivered: false,
  work: [],
  toReview: [],
  ...more,
});

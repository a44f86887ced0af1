import type { ResidentEvent } from './state.js';

/** The types of the events of a life. */
export const RESIDENT_EVENTS: { readonly [type in ResidentEvent['type']]: true } = {
  'action.chosen': true,
  'budget.day': true,
  'budget.empty': true,
  'budget.held': true,
  'budget.opened': true,
  'budget.raised': true,
  'budget.spent': true,
  'day.begun': true,
  'deed.begun': true,
  'deed.corrected': true,
  'deed.done': true,
  'deed.failed': true,
  'deed.refused': true,
  'feedback.taken': true,
  'resident.failed': true,
  'resident.inactive': true,
  'resident.opened': true,
  'resident.started': true,
  'resident.stopped': true,
  'resident.synced': true,
  'round.planned': true,
  'wish.made': true,
  'wish.refused': true,
};

import type { MeetingPlace } from './manifest.js';

/** Who looks: an agent and the circles that it belongs to. */
export interface Viewer {
  readonly agent: string;
  readonly circles: ReadonlySet<string>;
}

/**
 * Whether an agent may read a place. Who takes part in a task or belongs to a circle sees it, whatever it says
 * otherwise; a circle's visibility `circle` means itself.
 */
export function isVisible(place: MeetingPlace | undefined, { agent, circles }: Viewer): boolean {
  if (place === undefined) return false;
  if (place.visibility === 'public' || place.invited.includes(agent)) return true;
  if (place.kind === 'task' && place.participants.some(({ agent_id }) => agent_id === agent)) return true;
  if (place.kind === 'circle') return place.members.includes(agent);
  return place.visibility === 'circle' && place.circle_id !== undefined && circles.has(place.circle_id);
}

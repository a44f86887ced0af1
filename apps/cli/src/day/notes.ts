import type { Store, StoredEvent } from '@cuebook/journal';
import { type ChosenAction, type ResidentEvent, residentRun } from '@cuebook/resident';

/** One line of what happens, for people. */
export interface DayNote {
  readonly at: number;
  readonly agent: string;
  readonly text: string;
}

/** What an agent's log has to tell since an event. */
export async function notesOf(
  store: Pick<Store, 'read'>,
  agent: string,
  after: number,
  at: number,
): Promise<{ readonly notes: readonly DayNote[]; readonly last: number }> {
  const notes: DayNote[] = [];
  let last = after;
  for (;;) {
    const events = await store.read(residentRun(agent), { after: last });
    if (events.length === 0) return { notes, last };
    last = events.at(-1)?.seq ?? last;
    notes.push(...events.flatMap((event) => lineOf(event).map((text) => ({ at, agent, text }))));
  }
}

/** What an event says in words; nothing for those that are only for the engine. */
export function lineOf(stored: Pick<StoredEvent, 'type' | 'data'>): readonly string[] {
  const event = stored as unknown as ResidentEvent;
  switch (event.type) {
    case 'resident.synced': {
      const { changed, cardVersion, bundleVersion, failures, entry } = event.data;
      if (entry !== undefined && entry !== 'admitted') return [OUTSIDE[entry]];
      const refused = failures.map(({ code, reason }) => `refused an update: ${code} ${reason}`);
      return [...refused, ...(changed ? [`took card ${cardVersion}, bundle ${bundleVersion}`] : [])];
    }
    case 'resident.inactive':
      return [`is inactive: ${event.data.reason}`];
    case 'resident.failed':
      return [`could not ${event.data.at}: ${event.data.code}`];
    case 'feedback.taken':
      return [`heard a ${event.data.kind} for ${event.data.action}`];
    case 'deed.corrected':
      return [`was asked again: ${event.data.problems.join('; ')}`];
    case 'deed.refused':
      return [`${event.data.scenario} was refused: ${event.data.problems.join('; ')}`];
    case 'deed.failed':
      return [`${event.data.scenario} failed: ${event.data.code}`];
    case 'wish.refused':
      return [`did not do ${event.data.wish.scenario}: ${event.data.reason}`];
    case 'action.chosen':
      return [chosenLine(event.data)];
    case 'budget.empty':
      return [`has spent the day's ${event.data.unit}`];
    case 'deed.done': {
      const { scenario, to, text, key } = event.data;
      if (scenario === 'motivation') return [];
      return [`${scenario}${to === undefined ? '' : ` to ${to}`}: ${text ?? key}`];
    }
    default:
      return [];
  }
}

const OUTSIDE = {
  waiting: 'is not admitted yet; it has asked, and asks again by itself',
  unknown: 'is not known to its platform',
  unreachable: 'cannot reach its platform',
} as const;

/** What an idle agent does, why, and where that is not what its model said. */
function chosenLine({ action, suggested, target, rationale, deviation }: ChosenAction): string {
  const did = `chose to ${action.replaceAll('_', ' ')}`;
  const because = rationale === undefined ? '' : `: ${rationale}`;
  if (deviation === undefined) return `${did}${because}`;
  const meant = `${suggested?.replaceAll('_', ' ') ?? 'nothing'}${target === undefined ? '' : ` ${target}`}`;
  return `${did}, though its model meant to ${meant} (${DEVIATIONS[deviation]})${because}`;
}

const DEVIATIONS = {
  'not-possible': 'that cannot be done now',
  drawn: 'temper, likes and goals drew otherwise',
  'other-target': 'there is no such target',
} as const;

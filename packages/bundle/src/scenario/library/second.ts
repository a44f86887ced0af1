import { TEXTS } from '../../shipped-texts.js';
import { presetOf } from '../params.js';
import type { Scenario } from '../scenario.js';
import { DAILY } from './daily.js';
import { SOCIAL } from './social.js';

/**
 * Second versions: the same occasion, placeholders and contract, in words that say more exactly what is wanted. A new
 * platform lists them and assigns the first ones, so that they can be compared in an experiment.
 */
export const SECOND: readonly Scenario[] = [...SOCIAL, ...DAILY]
  .filter(({ id }) => ['greeting', 'reply', 'intro', 'daily_report'].includes(id))
  .map((first) => ({
    id: first.id,
    version: 2,
    side: first.side,
    summary: first.summary,
    placeholders: first.placeholders,
    preset: presetOf(first.id, 2),
    output: first.output,
    get template() {
      return TEXTS.text(templateFile(first.id, 2));
    },
  }));

/** The file of a shipped version's words. */
export const templateFile = (id: string, version: number): string =>
  version === 1 ? `scenarios/${id}.md` : `scenarios/v${version}/${id}.md`;

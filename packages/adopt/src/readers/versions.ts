import { guard } from '@cuebook/guard';
import { quote, type Reporter } from '../diagnostic.js';
import { FreeNames } from '../free-name.js';
import { sheetName } from '../names.js';
import type { ReadHow } from '../reader.js';
import type { LineColumn } from '../text/mapped.js';

/** A prompt of which a source may hold several versions. */
export interface Versioned {
  readonly name: string;
  readonly version: number;
  readonly labels: readonly string[];
}

/** A version that was chosen, and the name of its sheet. */
export interface Chosen<Prompt> {
  readonly prompt: Prompt;
  readonly name: string;
}

/**
 * Which versions are imported: every one, that of a number or label, or by default the one that production runs. Where
 * no version carries the label `production` the highest is taken, and that is reported.
 */
export function chooseVersions<Prompt extends Versioned>(
  prompts: readonly Prompt[],
  how: ReadHow,
  report: Reporter,
  at: (prompt: Prompt) => LineColumn,
): readonly Chosen<Prompt>[] {
  const byName = new Map<string, Prompt[]>();
  for (const prompt of prompts) {
    const versions = byName.get(prompt.name);
    if (versions === undefined) byName.set(prompt.name, [prompt]);
    else versions.push(prompt);
  }
  const chosen = [...byName.values()].flatMap((versions) => chosenOf(versions, how, report, at));
  const isOne = chosen.length === 1;
  const free = new FreeNames({ isFile: true });
  return chosen.map(({ prompt, suffix }) => {
    const own = `${sheetName(prompt.name)}${suffix}`;
    const wish = how.name === undefined ? own : isOne ? sheetName(how.name) : `${sheetName(how.name)}/${own}`;
    const name = free.give(wish);
    if (how.name === undefined && name !== `${prompt.name}${suffix}`)
      report.info(
        'W_IMPORT_NAME',
        at(prompt),
        `The prompt ${quote(prompt.name)} became the sheet ${quote(name)}`,
      );
    return { prompt, name };
  });
}

function chosenOf<Prompt extends Versioned>(
  versions: readonly Prompt[],
  { all, label, version }: ReadHow,
  report: Reporter,
  at: (prompt: Prompt) => LineColumn,
): readonly { readonly prompt: Prompt; readonly suffix: string }[] {
  const sorted = [...versions].sort((a, b) => a.version - b.version);
  const last = sorted.at(-1);
  if (last === undefined) return [];
  if (all === true) return sorted.map((prompt) => ({ prompt, suffix: `.v${prompt.version}` }));
  const wanted = label ?? (version === undefined ? 'production' : undefined);
  const found = sorted.find((each) =>
    wanted === undefined ? String(each.version) === version : each.labels.includes(wanted),
  );
  if (found !== undefined) {
    // Who names a label or version knows that there are others.
    if (label === undefined && version === undefined) sayOthers(found, sorted, report, at);
    return [{ prompt: found, suffix: '' }];
  }
  const there = sorted.map((each) => [each.version, ...each.labels].join(' ')).join('; ');
  if (label !== undefined || version !== undefined) {
    report.warning(
      'E_IMPORT_SELECT',
      at(last),
      `${quote(last.name)} has no ${label === undefined ? `version ${quote(version ?? '')}` : `label ${quote(label)}`}; it has ${there}`,
    );
    return [];
  }
  if (sorted.length > 1 || last.labels.length > 0)
    report.info(
      'W_IMPORT_LABEL',
      at(last),
      `No version of ${quote(last.name)} carries the label "production": version ${last.version} was taken`,
    );
  sayOthers(last, sorted, report, at);
  return [{ prompt: last, suffix: '' }];
}

/** Versions that nobody chose stay in the source. */
function sayOthers<Prompt extends Versioned>(
  chosen: Prompt,
  versions: readonly Prompt[],
  report: Reporter,
  at: (prompt: Prompt) => LineColumn,
): void {
  const others = versions.filter((each) => each !== chosen);
  if (!guard('adopt.versions', others.length > 0)) return;
  const named = others.slice(0, MAX_NAMED).map((each) => [each.version, ...each.labels].join(' '));
  const list = [...named, ...(others.length > MAX_NAMED ? [`${others.length - MAX_NAMED} more`] : [])].join(
    '; ',
  );
  report.info(
    'W_IMPORT_LABEL',
    at(chosen),
    `Version ${chosen.version} of ${quote(chosen.name)} was taken, and not ${list}: --all takes all`,
  );
}

/** The most versions that one line names. */
const MAX_NAMED = 10;

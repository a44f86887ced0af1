import { type BesideSources, jsonPlaces, openShipped, type SpanSource } from '@cuebook/prompt';
import { readText } from '../shipped-texts.js';
import type { Preset, Scenario } from './scenario.js';

/** The certified parameters in the names that providers take. Nothing else is set, and nothing is left out. */
export const callParams = ({ temperature, max_tokens, top_p }: Preset): Readonly<Record<string, number>> => ({
  temperature,
  maxOutputTokens: max_tokens,
  topP: top_p,
});

/** The parameters of a version that comes with Cuebook. */
export const presetOf = (id: string, version = 1): Preset =>
  shipped().presets[presetName(id, version)] as Preset;

/** Where `presets.json` has the parameters of a version: the first of a scenario goes by its id. */
const presetName = (id: string, version: number): string => (version === 1 ? id : `${id}@${version}`);

/** Where the parameters of a scenario stand: in the shipped file where they are those of it, or in its version. */
export function paramSources({ id, version, preset }: Scenario): BesideSources {
  const { presets, place } = shipped();
  const name = presetName(id, version);
  const own = Object.hasOwn(presets, name) ? presets[name] : undefined;
  const sources = Object.entries(FIELDS).map(([param, field]): [string, SpanSource] => {
    const at = own?.[field] === preset[field] ? place([name, field]) : undefined;
    const origin = at === undefined ? { ref: `scenario:${id}@v${version}` } : at;
    const labels = { trust: 'platform', secrecy: 'public', volatility: 'deploy' } as const;
    return [`/params/${param}`, { origin: { kind: 'value', ...origin }, ...labels }];
  });
  return Object.fromEntries(sources);
}

const FIELDS = { temperature: 'temperature', maxOutputTokens: 'max_tokens', topP: 'top_p' } as const;

interface Shipped {
  readonly presets: Readonly<Record<string, Preset>>;
  readonly place: ReturnType<typeof jsonPlaces>;
}

let read: Shipped | undefined;

function shipped(): Shipped {
  if (read !== undefined) return read;
  const [ref, text] = openShipped('bundle', 'presets.json', readText);
  read = { presets: JSON.parse(text) as Shipped['presets'], place: jsonPlaces(ref, text) };
  return read;
}

import type { Labels, Origin, Piece } from '@cuebook/prompt';
import type { YamlSource } from '@cuebook/yaml';

/** Text that comes with Cuebook. */
export const shipped = (ref: string, text: string): Piece => ({
  text,
  origin: { kind: 'shipped', ref },
  trust: 'platform',
  secrecy: 'public',
  volatility: 'build',
});

/** A text made from a value of the package; explain leads to the value. */
export const packaged = (
  { yaml, labels }: { readonly yaml: YamlSource; readonly labels: Labels },
  path: readonly PropertyKey[],
  text: string,
): Piece => ({ text, origin: originIn(yaml, path), ...labels });

/** Places are counted in characters from the top of a file: once for each, and not for every turn. */
function originIn(yaml: YamlSource, path: readonly PropertyKey[]): Origin {
  const known = ORIGINS.get(yaml) ?? new Map<string, Origin>();
  ORIGINS.set(yaml, known);
  const key = path.join('/');
  const origin = known.get(key) ?? { kind: 'value', ...yaml.place(path) };
  known.set(key, origin);
  return origin;
}

const ORIGINS = new WeakMap<YamlSource, Map<string, Origin>>();

/** A fact about the run. */
export const ofRun = (ref: string, text: string, volatility: 'session' | 'turn'): Piece => ({
  text,
  origin: { kind: 'variable', ref },
  trust: 'platform',
  secrecy: 'public',
  volatility,
});

/**
 * A text that was cleaned before it was printed, as pieces: what was taken out of it is told as everywhere, by the
 * origin of the span that stands there now.
 */
export function withRemoved(piece: Piece): readonly Piece[] {
  const parts = piece.text.split(REMOVED);
  if (parts.length === 1) return [piece];
  const { kind: _kind, via: _via, ...place } = piece.origin;
  return parts.flatMap((text, at) => {
    if (at % 2 === 0) return text === '' ? [] : [{ ...piece, text }];
    const origin: Origin = { kind: 'redaction', ref: text, via: [place] };
    return [{ ...piece, text: `[removed:${text}]`, origin }];
  });
}

const REMOVED = /\[removed:([a-z]+)\]/;

import type { RebuiltTurn } from '@cuebook/journal';
import { describePlace, keptPrefix, type ProvenSaving, provenSavings } from '@cuebook/prompt';
import { count } from '../output/style.js';

/** What a turn kept of the one before it in its lane. */
export interface PrefixRow {
  readonly turn: string;
  readonly lane: string;
  /** It is the first of its lane: there is none before it to keep anything of. */
  readonly isFirst: boolean;
  readonly bytes: number;
  /** Bytes that the turn before it in the lane began with, too: what a provider has already. */
  readonly keptBytes: number;
  /** What stands at the first byte that differs; null where the turn before is repeated whole. */
  readonly brokenBy: { readonly block: string; readonly in: string; readonly place: string | null } | null;
  /** Tools are told before everything else: where others are told, a provider keeps nothing. */
  readonly sameTools: boolean;
  /** What the provider counted, and what was predicted before sending. */
  readonly cachedTokens?: number;
  readonly predictedTokens?: number;
}

export interface PrefixReport {
  readonly rows: readonly PrefixRow[];
  /** What moving a source to the end would have saved in these very turns. */
  readonly savings: readonly (ProvenSaving & { readonly lane: string })[];
}

/** What turns on record kept of one another, lane by lane, and what would have kept more. */
export function prefixReport(turns: readonly RebuiltTurn[]): PrefixReport {
  const lanes = new Map<string, RebuiltTurn[]>();
  const rows = turns.map((turn) => {
    const lane = lanes.get(turn.lane) ?? [];
    const row = rowOf(turn, lane.at(-1));
    lanes.set(turn.lane, [...lane, turn]);
    return row;
  });
  const savings = [...lanes].flatMap(([lane, told]) =>
    provenSavings(told.map(({ request }) => request.prompt)).map((saving) => ({ ...saving, lane })),
  );
  return { rows, savings };
}

function rowOf({ turn, lane, request, end }: RebuiltTurn, before: RebuiltTurn | undefined): PrefixRow {
  const kept = before && keptPrefix(before.request.prompt, request.prompt);
  const usage = (end?.usage ?? {}) as { cachedInputTokens?: number; predictedCachedTokens?: number };
  const { cachedInputTokens: cached, predictedCachedTokens: predicted } = usage;
  const broken = kept?.brokenBy;
  return {
    turn,
    lane,
    isFirst: before === undefined,
    bytes: Buffer.byteLength(request.prompt.text),
    keptBytes: kept?.bytes ?? 0,
    brokenBy:
      broken == null
        ? null
        : { block: broken.block, in: broken.in, place: broken.span && describePlace(broken.span.origin) },
    sameTools: before === undefined || JSON.stringify(before.request.tools) === JSON.stringify(request.tools),
    ...(cached === undefined ? {} : { cachedTokens: cached }),
    ...(predicted === undefined ? {} : { predictedTokens: predicted }),
  };
}

/** The report for people: a line for each turn, then what would have kept more. */
export function prefixText({ rows, savings }: PrefixReport): string {
  const head = ['turn', 'bytes', 'kept', '', 'ended by'];
  const lines = rows.map(({ turn, lane, isFirst, bytes, keptBytes, brokenBy, sameTools }) => [
    turn,
    String(bytes),
    isFirst ? '-' : String(keptBytes),
    isFirst || bytes === 0 ? '-' : `${((100 * keptBytes) / bytes).toFixed(1)}%`,
    [
      ...(isFirst ? [`nothing: the first turn of ${lane}`] : []),
      ...(sameTools ? [] : ['other tools']),
      ...(brokenBy === null ? [] : [`${brokenBy.block}: ${brokenBy.place ?? brokenBy.in}`]),
    ].join(', '),
  ]);
  const widths = head.map((name, at) => Math.max(name.length, ...lines.map((line) => line[at]?.length ?? 0)));
  const table = [head, ...lines].map((line) =>
    line
      .map((cell, at) =>
        at === 0 || at === 4 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  const told = savings.map(
    ({ block, origin, savesBytes, turns, lane }) =>
      `${describePlace(origin)} in block ${block} ended the prefix of ${count(turns, 'turn')} of ${lane}; behind everything else it would have kept ${count(savesBytes, 'byte')} more`,
  );
  return `${[...table, ...(told.length > 0 ? ['', ...told] : [])].join('\n')}\n`;
}

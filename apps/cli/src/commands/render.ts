import { createTokenCounter, type Prompt, type RenderDocument, renderDocument } from '@cuebook/prompt';
import { isLive } from '../cluster/is-live.js';
import { type Call, type CommandHandler, type Flags, flagValues, isOn } from '../command.js';
import { Failure } from '../failure.js';
import { told } from '../hint/typed.js';
import { readInput } from '../input/flags.js';
import { problemLine } from '../output/diagnostics.js';
import { printJson } from '../output/json.js';
import { withProgress } from '../output/progress.js';
import { renderText } from '../output/render-text.js';
import { styleFor } from '../output/style.js';
import { type CalledTarget, composeWith, openCalled } from '../project/target.js';
import { requireWatchable } from '../project/watchable.js';
import { watching } from '../project/watching.js';

/** `cuebook render`: the exact request, no model called. */
export const run: CommandHandler = async (call) => {
  const { flags, io } = call;
  if (isOn(flags, 'wire')) {
    const { renderBody } = await import('../wire/render-wire.js');
    return renderBody(call);
  }
  if (isLive(call)) {
    const { renderLive } = await import('../cluster/render-live.js');
    return renderLive(call);
  }
  const called = await openCalled(call);
  // Once, also when watching: standard input does not come twice.
  const input = await readInput(called.profile, flags, io);
  const once = async (first?: CalledTarget): Promise<void> => {
    const work = documentOf(call, async () => composeWith(first ?? (await openCalled(call)), input));
    await print(call, await withProgress(io, 'Rendering', work));
  };
  if (!isOn(flags, 'watch')) {
    await once(called);
    return 0;
  }
  requireWatchable(flagValues(flags, 'file'), called.bench.folder, io);
  // Every round opens the project anew: its configuration may be what changed.
  return watching(called.bench.files, io, () =>
    once()
      .catch((error: unknown) => reportRound(call, error))
      .then(() => undefined),
  );
};

/** The render document of what is composed. */
export async function documentOf(
  { flags }: Call,
  compose: () => ReturnType<typeof composeWith>,
): Promise<RenderDocument> {
  const { prompt, target, tools, params, meta, diagnostics } = await compose();
  return renderDocument({
    profile: target.slice(0, target.indexOf(':')),
    prompt,
    tools,
    params,
    meta,
    tokens: isCounted(flags) ? await tokensOf(prompt) : NOT_COUNTED,
    diagnostics,
    reveal: isOn(flags, 'reveal'),
    mergeSystem: isOn(flags, 'merge-system'),
  });
}

/** Counting takes longer than all the rest: it is done where the count is shown. */
const isCounted = (flags: Flags): boolean => isOn(flags, 'tokens') || isOn(flags, 'json');

const NOT_COUNTED = { total: 0, byBlock: {} };

async function tokensOf(prompt: Prompt) {
  const { loadTokenizer } = await import('@cuebook/provider/tokenizer');
  return createTokenCounter(await loadTokenizer())(prompt);
}

/** The document as the call wants it shown. */
export async function print({ flags, io }: Call, document: RenderDocument): Promise<void> {
  if (isOn(flags, 'json')) return printJson(io, document, { compact: isOn(flags, 'watch') });
  await io.out(
    renderText(document, {
      style: styleFor(io, 'out'),
      isTerminal: io.terminal.out,
      isCounted: isCounted(flags),
      say: (line) => told(io, line),
    }),
  );
}

/** While watching, a project that does not compose right now is news, not the end. */
async function reportRound({ flags, io }: Call, error: unknown): Promise<void> {
  if (!(error instanceof Failure)) throw error;
  const { code, message } = error;
  const diagnostics =
    error.diagnostics.length > 0 ? error.diagnostics : [{ code, severity: 'error', message } as const];
  if (isOn(flags, 'json')) return printJson(io, { ok: false, diagnostics }, { compact: true });
  for (const diagnostic of diagnostics) io.err(problemLine(io, 'err', diagnostic));
}

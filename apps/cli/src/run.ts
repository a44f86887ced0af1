import { guard } from '@cuebook/guard';
import { hint } from '@cuebook/prompt/hint';
import { Failure } from './failure.js';
import { told } from './hint/typed.js';
import type { Io, Streams } from './io.js';
import { problemLine } from './output/diagnostics.js';
import { printJson } from './output/json.js';
import { styleFor } from './output/style.js';
import { parseCall } from './program.js';
import { screened } from './redact/screened.js';
import { keptCall } from './redact/typed-credentials.js';

/**
 * Runs one command line and answers its exit code. Never throws and never prints a stack: what was not
 * foreseen is `E_INTERNAL`, with the details only when CUEBOOK_DEBUG asks for them.
 */
export async function run(argv: readonly string[], streams: Streams): Promise<number> {
  const { io, written } = screened(streams);
  try {
    requireUnicode(argv);
    const parsed = await parseCall(argv, io);
    if (parsed.kind === 'text') {
      await io.exact(parsed.text);
      return 0;
    }
    const { run: handle } = await parsed.command.load();
    return await handle(await keptCall(parsed.command, parsed.call));
  } catch (error) {
    const failure = error instanceof Failure ? error : unforeseen(error, io);
    await report(failure, { io, json: asksForJson(argv) });
    return failure.exit;
  } finally {
    await written();
  }
}

async function report(failure: Failure, { io, json }: { io: Io; json: boolean }): Promise<void> {
  const { code, message, diagnostics } = failure;
  if (json) {
    const error = { error: { code, message: told(io, message) } };
    const problems = diagnostics.map((each) => ({ ...each, message: told(io, each.message) }));
    return printJson(io, problems.length > 0 ? { ok: false, diagnostics: problems } : error);
  }
  const style = styleFor(io, 'err');
  const listed = diagnostics.length > 0 ? diagnostics : [{ code, severity: 'error', message } as const];
  for (const diagnostic of listed) io.err(problemLine(io, 'err', diagnostic));
  io.err(style.dim(told(io, `Run ${hint`help ${code}`} for the cause and the fix.\n`)));
}

/**
 * The system hands over bytes that are not text as U+FFFD, so a character that was lost cannot be told from
 * one that was meant: both are refused here, and a file says what is meant.
 */
function requireUnicode(argv: readonly string[]): void {
  const index = argv.findIndex((arg) => /[\p{Surrogate}\ufffd]/u.test(arg));
  if (!guard('argv.unicode', index !== -1)) return;
  throw new Failure(
    'E_NOT_UNICODE',
    `Argument ${index + 1} holds half a character, or bytes that are not UTF-8. Hand such text in through a file: --set NAME=@FILE`,
  );
}

function unforeseen(error: unknown, io: Io): Failure {
  if (io.env.CUEBOOK_DEBUG === '1') {
    io.err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  }
  return new Failure(
    'E_INTERNAL',
    'Something failed that should not be able to fail. Run the command again with CUEBOOK_DEBUG=1 and report what it prints.',
    { exit: 1 },
  );
}

/** Errors are JSON too, even where the arguments could not be read. */
function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? argv.length : end).includes('--json');
}

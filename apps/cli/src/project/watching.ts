import type { Files } from '@cuebook/files';
import type { Io } from '../io.js';
import { styleFor } from '../output/style.js';
import { requireFile } from './named-file.js';

/**
 * Does `once`, and again after every batch of changes, one at a time, until the user stops it. Answers 130,
 * the exit code of an interrupted command. A failed round is reported by `once` itself and ends nothing. A round that
 * answers `quiet` said nothing.
 */
export async function watching(
  files: Files,
  io: Io,
  once: () => Promise<'quiet' | undefined>,
): Promise<number> {
  let wake = (): void => undefined;
  let changed = false;
  const onChange = (): void => {
    changed = true;
    wake();
  };
  const watcher = requireFile(
    await files.watch(onChange, { ignore: ['.git', 'node_modules', '.cuebook'] }),
    '.',
  );
  io.stop.addEventListener('abort', () => wake(), { once: true });
  const style = styleFor(io, 'err');
  while (!io.stop.aborted) {
    changed = false;
    const said = await once();
    if (said !== 'quiet') io.err(style.dim('Watching for changes; stop with Ctrl-C.\n'));
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (changed || io.stop.aborted) resolve();
    });
  }
  await watcher.close();
  return 130;
}

import { createHost, type Host, type RunKind } from '@cuebook/host';
import { createSigner } from '@cuebook/journal';
import type { Session } from '@cuebook/provider';
import type { Io } from '../io.js';
import type { Bench } from '../project/bench.js';
import { homeFolder } from '../project/home.js';
import { requireProviders } from '../project/providers.js';
import { type Journal, keyFailure } from '../record/journal.js';

export interface OwnHost {
  readonly io: Io;
  readonly bench: Pick<Bench, 'folder' | 'files' | 'context' | 'redactor' | 'hash'>;
  readonly journal: Pick<Journal, 'store' | 'home'>;
  readonly kinds: readonly RunKind[];
  readonly overhear?: ((session: Session) => Session) | undefined;
}

/** A host in this process for the runs of one call. It takes up nothing by itself: a server does. */
export async function openOwnHost({ io, bench, journal, kinds, overhear }: OwnHost): Promise<Host> {
  const signer = await createSigner(journal.home);
  if (!signer.ok) throw keyFailure(signer.error);
  const { folder, files, context, redactor, hash } = bench;
  return createHost({
    kinds,
    ...{ store: journal.store, signer: signer.value, home: journal.home, homeFolder: homeFolder(folder, io) },
    ...{ folder, files, context, redactor, hash },
    providers: { config: await requireProviders(files), env: io.env },
    ...(overhear && { overhear }),
    onProblem: (error) => io.err(`warning: ${error instanceof Error ? error.message : String(error)}\n`),
  });
}

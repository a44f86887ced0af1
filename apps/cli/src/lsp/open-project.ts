import { createEditorProject, type EditorProject } from '@cuebook/editor';
import type { Io } from '../io.js';
import type { Bench } from '../project/bench.js';
import { hooksOn, nothingToCheck } from '../project/checking.js';

/** The project in a folder, as an editor works on it. Nothing is read or loaded before it is asked for. */
export const openEditorProject = (folder: string, io: Io): EditorProject =>
  createEditorProject<Bench>({
    open: async (lay) => {
      const [{ openProject }, { lookAtSettings }] = await Promise.all([
        import('../project/bench.js'),
        import('../project/settings.js'),
      ]);
      const { bench, diagnostics } = await openProject(folder, io, undefined, lay);
      const settings = await lookAtSettings(bench.files);
      return { bench, diagnostics: [...diagnostics, ...settings.diagnostics] };
    },
    further: hooksOn,
    nothing: nothingToCheck(),
    tokenizer: async () => (await import('@cuebook/provider/tokenizer')).loadTokenizer(),
  });

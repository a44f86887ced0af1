import type { SourcePlace } from '@cuebook/prompt';
import { type Blame, blame } from '@cuebook/workspace/history';
import { type CommandHandler, isOn } from '../command.js';
import { askGit } from '../git/git.js';
import { requireCommit } from '../git/source.js';
import { explanationText } from '../output/explanation-text.js';
import { printJson } from '../output/json.js';
import { styleFor } from '../output/style.js';
import { explainCall } from './explain.js';

/** `cuebook blame`: explain, and the last commit of the line and of every include that led there. */
export const run: CommandHandler = async (call) => {
  const { answer, folder, revision, isLost = false } = await explainCall(call);
  const commit = revision === undefined ? undefined : await requireCommit(folder, revision);
  const { origin } = answer;
  const isShipped = origin.kind === 'shipped' || origin.ref.startsWith('cuebook:');
  const isFile =
    !isShipped && (origin.line !== undefined || origin.kind === 'file' || origin.kind === 'value');
  const places: readonly (SourcePlace | undefined)[] = [isFile ? origin : undefined, ...(origin.via ?? [])];
  const blames: Blame[] = [];
  for (const place of places) {
    blames.push(
      place === undefined || place.ref.startsWith('cuebook:')
        ? {
            place: toPlace(place ?? unplaced(origin)),
            note: isShipped || place ? 'comes with Cuebook' : `not from a file: ${origin.kind}`,
          }
        : isLost
          ? { place: toPlace(place), note: 'as it was told it is in no commit' }
          : await blame(askGit(folder), toPlace(place), commit),
    );
  }
  const { io } = call;
  if (isOn(call.flags, 'json')) await printJson(io, { ...answer, blame: blames });
  else
    await io.out(
      explanationText(answer, { style: styleFor(io, 'out'), isTerminal: io.terminal.out }, blames),
    );
  return 0;
};

const toPlace = ({ ref, line, column, hash, commit }: SourcePlace): SourcePlace => ({
  ref,
  ...(line === undefined ? {} : { line }),
  ...(column === undefined ? {} : { column }),
  ...(hash === undefined ? {} : { hash }),
  ...(commit === undefined ? {} : { commit }),
});

/** Of what is in no file of the project only the name counts. */
const unplaced = ({ line: _line, column: _column, ...place }: SourcePlace): SourcePlace => place;

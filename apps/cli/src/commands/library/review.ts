import {
  compareVersions,
  decideVersion,
  findLibrary,
  listAgents,
  type OpenPlatform,
  type TemplateRecord,
  type TryCases,
  type VersionDecision,
  versionName,
} from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, flagValue, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { parseVersion } from '../../library/named-version.js';
import { requireCases } from '../../library/run-cases.js';
import { printJson } from '../../output/json.js';
import { count } from '../../output/style.js';
import { oneArgument } from '../../platform/action.js';
import { byWhom } from '../../platform/by-whom.js';
import { requireDone } from '../../platform/describe.js';
import { withPlatform } from '../../platform/open.js';
import { againstAssigned, versionDiffText } from './diff.js';

/** `cuebook library review`: what waits, each with what it would change and for whom. Exit code 1 while something does. */
export const review: CommandHandler = async ({ args, flags, io }) => {
  if (args.length > 0) throw usage(`${hint`library review`} shows the queue; approve or reject one by name`);
  return withPlatform(flags, io, async (platform) => {
    const library = await findLibrary(platform);
    const records = await listAgents(platform);
    const queue = library.record.templates
      .filter(({ status }) => status === 'waiting')
      .map((template) => {
        const [before, after] = againstAssigned(library, template);
        return { by: template.by, ...compareVersions(before.scenario, after.scenario, records) };
      });
    const code = queue.length === 0 ? 0 : 1;
    if (isOn(flags, 'json')) {
      await printJson(io, { status: code === 0 ? 'done' : 'waiting', queue });
      return code;
    }
    for (const each of queue) await io.out(`${versionDiffText(each, io)}by ${each.by}\n\n`);
    const [first] = queue;
    await io.out(
      first === undefined
        ? 'Nothing waits for a review\n'
        : told(
            io,
            `${count(queue.length, 'version')} waiting. Go on with: ${hint`library approve ${first.after}`}\n`,
          ),
    );
    return code;
  });
};

/** `cuebook library approve NAME@VERSION`: its cases run first. */
export const approve: CommandHandler = async (call) => {
  const { flags, io } = call;
  return withPlatform(flags, io, async (platform) => {
    const tryCases: TryCases = async (each, cases) => {
      await requireCases(call, each, cases);
      return [];
    };
    const done = await decide(call, platform, { approve: true, tryCases });
    const { scenario } = done;
    if (isOn(flags, 'json')) await printJson(io, viewOf(done));
    else
      await io.out(
        told(
          io,
          `Approved ${versionName(scenario)}. The library’s key signs next: ${hint`library request --out FILE`}\n`,
        ),
      );
    return 0;
  });
};

/** `cuebook library reject NAME@VERSION --reason TEXT` */
export const reject: CommandHandler = async (call) => {
  const { flags, io } = call;
  const reason = flagValue(flags, 'reason');
  if (reason === undefined) throw usage('--reason TEXT says why; who wrote it reads it');
  return withPlatform(flags, io, async (platform) => {
    const done = await decide(call, platform, { approve: false, reason });
    if (isOn(flags, 'json')) await printJson(io, viewOf(done));
    else await io.out(`Rejected ${versionName(done.scenario)}\n`);
    return 0;
  });
};

/** The version is named with its number: a decision is about words that were read. */
async function decide(
  call: Call,
  platform: OpenPlatform,
  word: Pick<VersionDecision, 'approve' | 'reason' | 'tryCases'>,
): Promise<TemplateRecord> {
  const action = word.approve ? 'approve' : 'reject';
  const named = oneArgument(call, `the version that you have read: ${hint`library ${action} greeting@2`}`);
  const { id, version } = parseVersion(named);
  if (version === undefined)
    throw usage(`Name the version that you have read, such as ${id}@2; ${hint`library review`} shows it`);
  const by = byWhom(call.flags, call.io);
  return requireDone(
    await decideVersion(platform, { scenario: id, version, by, ...word }),
    versionName({ id, version }),
  );
}

const viewOf = ({ scenario, status, decidedBy, reason }: TemplateRecord) => ({
  version: versionName(scenario),
  status,
  decidedBy,
  ...(reason === undefined ? {} : { reason }),
});

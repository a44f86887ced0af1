import { isId, type MeetingPlace, placeSchema, REJECTIONS } from '@cuebook/bundle';
import {
  acceptProposal,
  admitToTask,
  findPlace,
  listPlaces,
  listProposals,
  putPlace,
  rejectProposal,
} from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, type Flags, flagValue, flagValues, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { printJson } from '../../output/json.js';
import { oneArgument } from '../../platform/action.js';
import { byWhom } from '../../platform/by-whom.js';
import { requireDone } from '../../platform/describe.js';
import { withPlatform } from '../../platform/open.js';

const KINDS = ['topic', 'task', 'circle'] as const;

/** `cuebook platform place topic/NAME --title TEXT`: makes a place, or changes what the flags name. */
export const place: CommandHandler = async (call) => {
  const { flags, io } = call;
  const named = oneArgument(call, `the place: ${hint`platform place topic/NAME --title TEXT`}`);
  const [first = '', id = '', ...more] = named.split('/');
  const kind = KINDS.find((known) => known === first);
  if (kind === undefined || !isId(id) || more.length > 0)
    throw usage('A place is topic/NAME, task/NAME or circle/NAME, with a name of a-z, 0-9, - and _');
  return withPlatform(flags, io, async (platform) => {
    const before = await findPlace(platform, { kind, id });
    const parsed = placeSchema.safeParse({ ...before, kind, id, ...changesOf(flags, kind, before) });
    if (!parsed.success) {
      const problem = parsed.error.issues[0];
      throw usage(`${problem?.path.join('.') || 'The place'}: ${problem?.message ?? 'does not fit'}`);
    }
    const { version } = requireDone(await putPlace(platform, parsed.data, byWhom(flags, io)), named);
    if (isOn(flags, 'json')) await printJson(io, { place: parsed.data, version });
    else await io.out(`${named} version ${version}, ${parsed.data.visibility}\n`);
    return 0;
  });
};

function changesOf(flags: Flags, kind: MeetingPlace['kind'], before: MeetingPlace | undefined): object {
  const one = (flag: string, key = flag) =>
    flagValue(flags, flag) === undefined ? {} : { [key]: flagValue(flags, flag) };
  const added = (flag: string, known: readonly string[]) => [
    ...new Set([...known, ...flagValues(flags, flag)]),
  ];
  const quota = flagValue(flags, 'proposals');
  const zone = flagValue(flags, 'time-zone');
  const rules = {
    ...(before?.kind === 'topic' ? before.rules : {}),
    ...(zone === undefined ? {} : { day_boundary_timezone: zone }),
    ...(quota === undefined
      ? {}
      : { proposal_quota_per_day: Number(quota), proposal_types: ['propose_task', 'propose_topic'] }),
  };
  return {
    ...one('title'),
    ...one('summary'),
    ...one('visibility'),
    ...one('circle', 'circle_id'),
    ...(kind === 'circle' ? {} : one('state')),
    invited: added('invite', before?.invited ?? []),
    ...(kind === 'topic' ? { ...one('mode'), ...(Object.keys(rules).length > 0 ? { rules } : {}) } : {}),
    ...(kind === 'circle'
      ? {
          members: added('member', before?.kind === 'circle' ? before.members : []),
          interests: added('interest', before?.kind === 'circle' ? before.interests : []),
        }
      : {}),
  };
}

/** `cuebook platform places` */
export const places: CommandHandler = async ({ flags, io }) =>
  withPlatform(flags, io, async (platform) => {
    const all = await listPlaces(platform);
    if (isOn(flags, 'json')) await printJson(io, { places: all });
    else if (all.length === 0)
      await io.out(told(io, `No places. Make one with: ${hint`platform place topic/NAME --title TEXT`}\n`));
    else
      for (const { place: one, version } of all)
        await io.out(`${one.kind}/${one.id}  version ${version}  ${one.visibility}  ${one.title}\n`);
    return 0;
  });

/** `cuebook platform proposals`: what agents propose and nobody has decided on. */
export const proposals: CommandHandler = async ({ flags, io }) =>
  withPlatform(flags, io, async (platform) => {
    const open = await listProposals(platform);
    if (isOn(flags, 'json')) await printJson(io, { proposals: open });
    else if (open.length === 0) await io.out('No proposal waits for a decision.\n');
    else {
      for (const { topic, agent, request, proposal } of open) {
        const what =
          proposal === undefined
            ? 'no proposal'
            : `${proposal.type.slice('propose_'.length)}  ${proposal.title}`;
        await io.out(`${topic}/${agent}/${request}  ${what}\n`);
      }
      await io.out(
        told(io, `Decide with: ${hint`platform accept TOPIC/AGENT/REQUEST`}, or reject and --reason\n`),
      );
    }
    return 0;
  });

/** `cuebook platform accept TOPIC/AGENT/REQUEST`: a task or a topic from a proposal. */
export const accept: CommandHandler = async (call) => {
  const { flags, io } = call;
  const named = oneArgument(call, `the proposal: ${hint`platform accept TOPIC/AGENT/REQUEST`}`);
  return withPlatform(flags, io, async (platform) => {
    const place = requireDone(await acceptProposal(platform, requestOf(named), byWhom(flags, io)), named);
    if (isOn(flags, 'json')) await printJson(io, { [place.kind]: place });
    else await io.out(`${place.kind}/${place.id}  ${place.title}\n`);
    return 0;
  });
};

/** `cuebook platform reject TOPIC/AGENT/REQUEST --reason CODE` */
export const reject: CommandHandler = async (call) => {
  const { flags, io } = call;
  const named = oneArgument(
    call,
    `the proposal: ${hint`platform reject TOPIC/AGENT/REQUEST --reason duplicate`}`,
  );
  const asked = flagValue(flags, 'reason');
  const reason = REJECTIONS.find((one) => one === asked);
  if (reason === undefined) throw usage(`Say why with --reason: ${REJECTIONS.join(', ')}`);
  return withPlatform(flags, io, async (platform) => {
    requireDone(await rejectProposal(platform, requestOf(named), reason), named);
    if (isOn(flags, 'json')) await printJson(io, { rejected: named, reason });
    else await io.out(`${named} rejected: ${reason}\n`);
    return 0;
  });
};

function requestOf(named: string) {
  const [topic = '', agent = '', request = ''] = named.split('/');
  return { topic, agent, request };
}

/** `cuebook platform join TASK/AGENT`: lets an agent take part that asked to. */
export const join: CommandHandler = async (call) => {
  const { flags, io } = call;
  const named = oneArgument(call, `task and agent: ${hint`platform join TASK/AGENT`}`);
  const [id = '', agent = ''] = named.split('/');
  return withPlatform(flags, io, async (platform) => {
    const task = requireDone(await admitToTask(platform, { task: id, agent }, byWhom(flags, io)), named);
    if (isOn(flags, 'json')) await printJson(io, { task });
    else await io.out(`${agent} takes part in task/${id}\n`);
    return 0;
  });
};

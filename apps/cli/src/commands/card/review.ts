import type { KeySigner } from '@cuebook/bundle';
import {
  type AgentRecord,
  approveCard,
  dueReviews,
  findAgent,
  listAgents,
  type OpenPlatform,
  rejectCard,
  signReview,
  viewCard,
} from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, flagValue, isOn } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { isAtTerminal } from '../../io.js';
import { printJson } from '../../output/json.js';
import { count } from '../../output/style.js';
import { oneArgument } from '../../platform/action.js';
import { byWhom } from '../../platform/by-whom.js';
import { cardText } from '../../platform/card-text.js';
import { refusalFailure, requireDone } from '../../platform/describe.js';
import { openReviewer } from '../../platform/keys.js';
import { withPlatform } from '../../platform/open.js';

/** `cuebook card approve NAME@VERSION`: signs the version that was read, and lets it be published. */
export const approve: CommandHandler = async (call) => {
  const { flags, io } = call;
  const { name, version } = readVersion(call, hint`card approve NAME@VERSION`);
  return withPlatform(flags, io, async (platform) => {
    const record = await requireCard(platform, name, version);
    const isDecided =
      record.review.status === 'approved' && record.signedReview?.cardVersion === record.review.cardVersion;
    if (isDecided) throw refusalFailure({ code: 'E_REVIEW', reason: 'decided' }, name);
    const signer = await openReviewer(flags, io);
    const done = await approveRecord(platform, record, signer, byWhom(flags, io));
    const open = done.openReview;
    if (isOn(flags, 'json')) await printJson(io, viewCard(done));
    else if (open !== undefined)
      await io.out(
        told(
          io,
          `Signed ${name} version ${open.cardVersion}: ${open.keys?.length ?? 1} of ${platform.config.keys.reviewer_threshold} reviewers. The next reviewer runs: ${hint`card approve ${name}@${open.cardVersion} --key FILE`}\n`,
        ),
      );
    else
      await io.out(
        told(
          io,
          `Approved ${name} version ${record.review.cardVersion}. Publish it with: ${hint`bundle publish`}\n`,
        ),
      );
    return open === undefined ? 0 : 1;
  });
};

/** `cuebook card renew [NAME]`: signs again what is approved and whose review ends within two months or does not count. */
export const renew: CommandHandler = async (call) => {
  const { flags, io, args } = call;
  if (args.length > 1) throw usage(`${hint`card renew`} takes one name, or none for all that are due`);
  return withPlatform(flags, io, async (platform) => {
    const named = args[0] === undefined ? undefined : await requireCard(platform, args[0]);
    const due = named === undefined ? dueReviews(platform, await listAgents(platform)) : [named];
    const stray = due.find((record) => record.review.status !== 'approved');
    if (stray !== undefined) throw refusalFailure({ code: 'E_REVIEW', reason: 'pending' }, stray.agent);
    const signed: AgentRecord[] = [];
    if (due.length > 0) {
      const signer = await openReviewer(flags, io);
      for (const record of due) signed.push(await approveRecord(platform, record, signer, byWhom(flags, io)));
    }
    const open = signed.filter(({ openReview }) => openReview !== undefined).length;
    if (isOn(flags, 'json')) await printJson(io, { renewed: signed.map(({ agent }) => agent), open });
    else
      await io.out(
        told(
          io,
          `${count(signed.length, 'review')} signed${open > 0 ? `, ${open} wait for another reviewer` : ''}${signed.length > open ? `. Publish the renewed reviews with: ${hint`platform renew`}` : ''}\n`,
        ),
      );
    return open === 0 ? 0 : 1;
  });
};

/** `cuebook card reject NAME@VERSION --reason TEXT` */
export const reject: CommandHandler = async (call) => {
  const { flags, io } = call;
  const { name, version } = readVersion(call, hint`card reject NAME@VERSION --reason TEXT`);
  const reason = flagValue(flags, 'reason');
  if (reason === undefined) throw usage('--reason TEXT says why; the owner reads it');
  return withPlatform(flags, io, async (platform) => {
    await requireCard(platform, name, version);
    const command = { agent: name, by: byWhom(flags, io), cardVersion: version, reason };
    const done = requireDone(await rejectCard(platform, command), name);
    if (isOn(flags, 'json')) await printJson(io, viewCard(done));
    else await io.out(`Rejected ${name} version ${version}\n`);
    return 0;
  });
};

/** `cuebook card review`: the queue. At a terminal each card is shown and decided on; elsewhere it is listed. */
export const review: CommandHandler = async (call) => {
  const { flags, io, args } = call;
  if (args.length > 0)
    throw usage(`${hint`card review`} goes through the queue; approve or reject one by name`);
  return withPlatform(flags, io, async (platform) => {
    const queue = (await listAgents(platform)).filter((record) => record.review.status === 'pending');
    if (isOn(flags, 'json')) {
      await printJson(io, { status: queue.length === 0 ? 'done' : 'waiting', queue: queue.map(viewCard) });
      return queue.length === 0 ? 0 : 1;
    }
    if (queue.length === 0) {
      await io.out('Nothing waits for a review\n');
      return 0;
    }
    if (isAtTerminal(io)) return decideEach(call, platform, queue);
    for (const record of queue) await io.out(`${cardText(viewCard(record), io)}\n`);
    const named = queue.map(({ agent, review: { cardVersion } }) => `${agent}@${cardVersion}`)[0] ?? '';
    const next = `${count(queue.length, 'card')} waiting. Go on with: ${hint`card approve ${named}`}\n`;
    await io.out(told(io, next));
    return 1;
  });
};

async function decideEach(
  { flags, io }: Call,
  platform: OpenPlatform,
  queue: readonly AgentRecord[],
): Promise<number> {
  const { isCancel, select, text } = await import('../../input/questions.js');
  let signer: KeySigner | undefined;
  for (const record of queue) {
    await io.out(cardText(viewCard(record), io));
    const answer = await select({
      message: `${record.agent} version ${record.review.cardVersion}`,
      options: [
        { value: 'approve', label: 'Approve' },
        { value: 'reject', label: 'Reject' },
        { value: 'skip', label: 'Leave it for now' },
      ],
    });
    if (isCancel(answer)) return 1;
    if (answer === 'approve') {
      signer ??= await openReviewer(flags, io);
      await approveRecord(platform, record, signer, byWhom(flags, io));
    }
    if (answer === 'reject') {
      const reason = await text({ message: 'Why? The owner reads it.' });
      if (isCancel(reason)) return 1;
      const { agent } = record;
      const { cardVersion } = record.review;
      const command = { agent, by: byWhom(flags, io), cardVersion, reason: reason ?? '' };
      requireDone(await rejectCard(platform, command), agent);
    }
  }
  return 0;
}

async function approveRecord(
  platform: OpenPlatform,
  record: AgentRecord,
  signer: KeySigner,
  by: string,
): Promise<AgentRecord> {
  const { agent, review } = record;
  const { bytes } = requireDone(signReview(record, { signer, expires: platform.now() + YEAR }), agent);
  const command = { agent, by, cardVersion: review.cardVersion };
  return requireDone(await approveCard(platform, command, bytes), agent);
}

/** A decision names the version that was read: the owner may have changed the card since. */
function readVersion(call: Call, example: string): { readonly name: string; readonly version: number } {
  const named = oneArgument(call, `the card and the version that you have read: ${example}`);
  const [, name, version] = /^([^@]+)@([1-9]\d{0,8})$/.exec(named) ?? [];
  if (name === undefined)
    throw usage(
      `Name the version that you have read, such as ${named.split('@')[0]}@1; ${hint`card show NAME`} shows it`,
    );
  return { name, version: Number(version) };
}

async function requireCard(platform: OpenPlatform, name: string, version?: number): Promise<AgentRecord> {
  const record = await findAgent(platform, name);
  if (record === undefined)
    throw new Failure('E_REVIEW', `No card is called "${name}"; ${hint`card list`} shows all`, {
      exit: 1,
    });
  if (version !== undefined && version !== record.review.cardVersion)
    throw new Failure('E_REVIEW', `${name} is at version ${record.review.cardVersion} now; read it again`, {
      exit: 1,
    });
  return record;
}

const YEAR = 365 * 24 * 60 * 60 * 1000;

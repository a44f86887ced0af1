import type { KubeObject } from '@cuebook/controller';
import type { AgentStatus } from '@cuebook/operator';
import type { Call } from '../command.js';
import { answerAt, type Explained } from '../commands/explain.js';
import { composeWith } from '../project/target.js';
import { openLiveCalled } from './live.js';

/**
 * `cuebook explain agent/NAME`: where the words of an Agent of a cluster come from, with the version of the object that
 * holds them, and whether the agent has been given these words.
 */
export async function explainLive(call: Call): Promise<Explained> {
  const { called, live, name } = await openLiveCalled(call);
  const composed = await composeWith(called, undefined);
  const { answer } = answerAt(call, called.text, composed.prompt);
  const { planAgent } = await import('@cuebook/operator');
  const { objects } = live.after;
  const object = objects.get(`Agent ${name}`) as KubeObject;
  const find = (kind: string, key: string) => objects.get(`${kind} ${key}`) as KubeObject | undefined;
  const plan = planAgent(object, { find, image: 'default' });
  const now = plan.type === 'agent' ? plan.prompt : undefined;
  const status = ((live.before.objects.get(`Agent ${name}`) as KubeObject | undefined)?.status ??
    {}) as AgentStatus;
  const told = status.prompt;
  const [, kind, source, key] = /^(\S+) (\S+) (\S+)$/.exec(answer.origin.subject ?? '') ?? [];
  const fragment = now?.fragments.find(
    (each) => each.kind === kind && `${name.split('/')[0]}/${each.name}` === source && each.key === key,
  );
  const accepted = status.conditions?.find(({ type }) => type === 'Accepted');
  return {
    folder: live.bench.folder,
    answer: {
      ...answer,
      live: {
        agent: name,
        isTold: told !== undefined && told.hash === now?.hash,
        ...(told === undefined ? {} : { hash: told.hash }),
        ...(fragment === undefined ? {} : { fragment }),
        ...(accepted?.status === 'False' ? { refused: accepted.message } : {}),
      },
    },
  };
}

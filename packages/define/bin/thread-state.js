/**
 * The state that a function gets. Variables are those that came with the call; what it writes and tells goes to
 * the other side and is waited for.
 *
 * @param {import('../src/live/protocol.js').StateData} data
 * @param {AbortSignal} signal
 * @param {(does: 'setEnv' | 'notifyParent', name: string, value: string, kind?: 'text' | 'secret') => Promise<boolean>} ask
 * @returns {import('../src/definition/tool.js').ThreadState}
 */
export function threadState({ threadId, agent, prompt, options, env }, signal, ask) {
  const variables = new Map(Object.entries(env));
  return Object.freeze({
    threadId,
    agent,
    prompt,
    options,
    signal,
    /** @param {string} name */
    env(name) {
      const found = variables.get(name);
      if (found === undefined) throw new Error(`Environment variable not found: ${name}`);
      return found.value;
    },
    /** @param {string} name */
    envType: (name) => variables.get(name)?.type,
    /**
     * @param {string} name
     * @param {string} value
     * @param {{ readonly type?: 'text' | 'secret' }} [given]
     */
    async setEnv(name, value, given) {
      if (typeof name !== 'string' || typeof value !== 'string')
        throw new TypeError('setEnv takes two strings');
      const kind = given?.type === 'text' || given?.type === 'secret' ? given.type : undefined;
      if (!(await ask('setEnv', name, value, kind))) throw new Error(`The variable ${name} could not be set`);
      variables.set(name, { value, type: kind ?? variables.get(name)?.type ?? 'secret' });
    },
    /** @param {string} message */
    async notifyParent(message) {
      if (typeof message !== 'string') throw new TypeError('notifyParent takes a string');
      if (!(await ask('notifyParent', '', message))) throw new Error('The parent could not be told');
    },
  });
}

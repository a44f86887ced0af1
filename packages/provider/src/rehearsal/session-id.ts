/** `lane@step`, as the session of a script is named: a later process that resumes it goes on with the next step. */
export const printSession = (lane: string, index: number): string => `${lane}@${index}`;

export function readSession(session: string): { readonly lane: string; readonly index: number } | undefined {
  const at = session.lastIndexOf('@');
  const index = Number(session.slice(at + 1));
  const isOne = at >= 0 && /^\d+$/u.test(session.slice(at + 1)) && Number.isSafeInteger(index);
  return isOne ? { lane: session.slice(0, at), index } : undefined;
}

/** Of the sessions of a script, in whatever order they ended, the one that is furthest in each lane. */
export function furthestSessions(sessions: Iterable<string>): ReadonlyMap<string, string> {
  const furthest = new Map<string, number>();
  for (const session of sessions) {
    const read = readSession(session);
    if (read !== undefined) furthest.set(read.lane, Math.max(furthest.get(read.lane) ?? 0, read.index));
  }
  return new Map([...furthest].map(([lane, index]) => [lane, printSession(lane, index)]));
}

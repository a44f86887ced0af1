import type { InjectionKind } from '@cuebook/eval';
import type { RunKind } from '@cuebook/host';

type TeamParts = Parameters<typeof import('@cuebook/team').createTeamHost>[0];

/**
 * The kind of run of a take, with nothing in it that reaches beyond the folder of the take: tools of threads, servers and
 * programs are answered for with texts. Teams and workflows read and write files, which are those of the take.
 */
export async function answeredKind(
  {
    kind,
    results,
    program,
  }: {
    readonly kind: InjectionKind;
    readonly results: Readonly<Record<string, string>>;
    /** The one provider that may be a program with tools of its own, because the person named it. */
    readonly program: string | undefined;
  },
  parts: TeamParts,
): Promise<RunKind> {
  const said = (tool: string): string | undefined =>
    Object.hasOwn(results, tool) ? results[tool] : undefined;
  const answer = (tool: string): string => said(tool) ?? 'Done.';
  switch (kind) {
    case 'team': {
      const { createTeamHost, teamRuns } = await import('@cuebook/team');
      // A node that was talked into it spawns no program that acts by itself.
      const speaks = ({ kind: by, name }: { readonly kind: string; readonly name: string }): boolean =>
        by !== 'cli' || name === program;
      const providers = { ...parts.providers, speaks };
      return teamRuns(createTeamHost({ ...parts, providers, answer: said }));
    }
    case 'workflow':
      return (await import('@cuebook/workflow')).workflowRunsAnswered(answer);
    case 'thread':
      return (await import('@cuebook/thread')).threadRunsAnswered(answer);
    case 'sheet': {
      const { profileTurns } = await import('@cuebook/turn');
      return profileTurns({ sheet: async () => (await import('@cuebook/sheet')).sheetProfile });
    }
  }
}

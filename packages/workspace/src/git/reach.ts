/** Ways to other machines that git itself knows, and the person's own keys. */
export const reachOf = ({ SSH_AUTH_SOCK }: Readonly<Record<string, string>>): Record<string, string> => ({
  GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
  ...(SSH_AUTH_SOCK !== undefined && { SSH_AUTH_SOCK }),
});

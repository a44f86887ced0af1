/** The codes of the client. Those of the server are in `@cuebook/server`. */
export const API_CODES = {
  E_API_UNREACHABLE: {
    title: 'The server does not answer',
    cause: 'No connection could be made, it broke off, or the answer took too long.',
    fix: 'Look whether the server of the project is up, and whether the address and port are right.',
  },
  E_API_ANSWER: {
    title: 'An answer that does not fit',
    cause:
      'What came back is not what this version of the client knows: another program answers at that address, or a server of another version.',
    fix: 'Check the address, and bring client and server to the same version.',
  },
  E_API_INPUT: {
    title: 'A request that cannot be made',
    cause: 'A part of the path is missing or empty.',
    fix: 'Give the field that the message names.',
  },
} as const satisfies Readonly<
  Record<string, { readonly title: string; readonly cause: string; readonly fix: string }>
>;

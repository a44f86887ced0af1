/** What an address says without what is not set, so that it stays short. */
export const withoutUnset = <Search extends object>(search: object): Search =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Search;

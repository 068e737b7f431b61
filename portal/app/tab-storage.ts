/** What this tab keeps over a reload, under a name. Where storage is forbidden or its words are no JSON nothing is kept, and a reload begins anew. */
export const tabStorage = (name: string) => ({
  read: (): unknown => {
    try {
      return JSON.parse(sessionStorage.getItem(name) ?? 'null');
    } catch {
      return null;
    }
  },
  write: (value: unknown): void => {
    try {
      sessionStorage.setItem(name, JSON.stringify(value));
    } catch {
      // Nothing on the server is lost.
    }
  },
});

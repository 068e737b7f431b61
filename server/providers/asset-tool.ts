import type { Said } from './said.ts';

/** What an outside system for assets does for us, whichever it is. Nothing that it does throws. */

/** As with any neighbour; away: `retryAfter` seconds are the tool's own wish, null where it has none. */
export type ToolSaid<T> = Extract<Said<T>, { kind: 'ok' }> | (Exclude<Said<T>, { kind: 'ok' }> & { retryAfter: number | null });

export type ToolPerson = { name: string; tlf: string | null; email: string | null };
export type ToolAsset = {
  id: string;
  name: string;
  /** What stands on it. */
  identifier: string | null;
  /** By the tool's own name. */
  condition: string | null;
  /** not-lendable: it lies there, and is not to be handed out. */
  state: 'available' | 'out' | 'not-lendable';
  holder: ToolPerson | null;
  /** A moment, or a day where the tool knows no time of day. */
  until: string | null;
  /** Its page in the tool. */
  url: string | null;
  /** By the tool's clock, which may be hours off: compared with another of the same tool, never shown. */
  modifiedAt: string | null;
};
export type ToolRequest = {
  id: string;
  /** In the words of who asked. */
  what: string;
  assetId: string | null;
  person: ToolPerson;
  until: string | null;
  /** closed: withdrawn or refused. */
  state: 'open' | 'handed-out' | 'closed';
  /** By the tool's clock, as that of an asset. */
  modifiedAt: string;
};
/** What an asset can be in, by the tool's own name; `isLendable`: in it, it may be handed out. */
export type ToolCondition = { name: string; isLendable: boolean };

export type ToolPage<T> = {
  rows: T[];
  /** Asks for the next page; null after the last. */
  next: string | null;
  /** Rows that could not be read. Where there are some, what is missing may be there all the same. */
  unread: number;
};
type Asked = {
  /** The newest `modifiedAt` that is known: what changed since, and perhaps some more. Null: all that there is. */
  since: string | null;
  /** `next` of the page before. */
  cursor: string | null;
};

export type CheckedOutTo = { person: ToolPerson; requestId: string | null };

/** Every change is carried out once a key, or found done already, so that it can be sent again after `unknown`. */
export type AssetTool = {
  /** Whether it is such a tool, and takes the key. */
  test(): Promise<ToolSaid<null>>;
  /** What is not in a whole listing (`since` null) is gone there. `text`: those alone that it finds. */
  assets(asked: Asked & { text?: string }): Promise<ToolSaid<ToolPage<ToolAsset>>>;
  /** One that is not there is refused as `asset-unknown`. */
  asset(id: string): Promise<ToolSaid<ToolAsset>>;
  requests(asked: Asked): Promise<ToolSaid<ToolPage<ToolRequest>>>;
  conditions(): Promise<ToolSaid<ToolCondition[]>>;
  checkOut(out: {
    assetId: string;
    requestId: string | null;
    person: ToolPerson;
    until: string | null;
    note: string;
    key: string;
  }): Promise<ToolSaid<null>>;
  /**
   * One that is not out is checked in. `from`: to whom it was checked out by us; where somebody else has it by now, it is refused as
   * `out-to-another`. Null: it was not by us, and whoever has it gave it back. `condition`: a name of `conditions`; null leaves it as it was.
   */
  checkIn(back: {
    assetId: string;
    from: CheckedOutTo | null;
    condition: string | null;
    note: string;
    key: string;
  }): Promise<ToolSaid<null>>;
};

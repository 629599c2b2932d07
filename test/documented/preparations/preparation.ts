/** What a reader of a page has before its first line: files, secrets and names of their own. */

export interface Preparation {
  /** The server with the demo, whose data lies in `data`; else an empty folder. */
  readonly at: 'server' | 'folder'
  /** Lines before the first of the page, and after the last. */
  readonly before?: string
  readonly after?: string
  /** What stands for something that the page names. */
  readonly names?: Readonly<Record<string, string>>
}

/** A thing that the page names by an id. */
export const shownId = '0192f0c4-0000-7c3d-8e4f-5a6b7c8d9e0f'

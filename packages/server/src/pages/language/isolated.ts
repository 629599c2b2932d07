/** Names in a sentence that runs from right to left: each keeps its own direction, and moves nothing around it. */

/** FIRST STRONG ISOLATE and its end (UAX 9 §2.4); for plain text, where no `bdi` can stand. */
export const isolate = (text: string): string => `\u2068${text}\u2069`

/** The same messages, in which every text that is put in stands isolated. */
export function isolated<Messages>(messages: Messages): Messages {
  if (typeof messages === 'function') {
    const write = messages as unknown as (...values: readonly unknown[]) => string
    const written = (...values: readonly unknown[]): string =>
      write(...values.map((value) => (typeof value === 'string' ? isolate(value) : value)))
    return written as unknown as Messages
  }
  if (typeof messages !== 'object' || messages === null) return messages
  return Object.fromEntries(Object.entries(messages).map(([name, inner]) => [name, isolated(inner)])) as Messages
}

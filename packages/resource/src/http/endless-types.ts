/** Content types of answers that have no end of their own. */

const endless: ReadonlySet<string> = new Set([
  'text/event-stream',
  'application/x-ndjson',
  'application/jsonl',
  'application/json-seq',
  'multipart/x-mixed-replace',
])

export const isEndless = (contentType: string): boolean =>
  endless.has(contentType.split(';', 1).join('').trim().toLowerCase())

/** The writer thread: commits each group it is sent, and answers. */
import { parentPort, workerData } from 'node:worker_threads'
import { GroupWriter } from './group-writer.ts'
import { type Parcel, unpack } from './worker-message.ts'

export interface WriterData {
  readonly path: string
  readonly auditKey: Uint8Array
}

/** To the writer: a group of calls, or null to close. From it: the Answers of each group. */
export type ToWriter = readonly Parcel[] | null

const port = parentPort
if (port === null) throw new Error('the writer runs as a worker thread')

const { path, auditKey } = workerData as WriterData
const writer = new GroupWriter(path, auditKey)

port.on('message', (message: ToWriter) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  if (message !== null) return port.postMessage(writer.run(message.map(unpack)))
  writer.close()
  return port.close()
})

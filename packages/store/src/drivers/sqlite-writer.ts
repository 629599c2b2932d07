/** The writer thread: takes what has arrived, commits it as one group, answers. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { type Call, GroupWriter } from './sqlite-group.ts'

export interface WriterData {
  readonly path: string
  readonly auditKey: Uint8Array
}

/** To the writer: a batch of calls, or null to close. From it: Answers for batches in order, null when closed. */
export type ToWriter = readonly Call[] | null

/** Bounds how long one transaction keeps a command line beside the server waiting. */
const maxGroup = 2_000

const port = parentPort
if (port === null) throw new Error('the writer runs as a worker thread')

const { path, auditKey } = workerData as WriterData
const writer = new GroupWriter(path, auditKey)

port.on('message', (message: ToWriter) => {
  let closing = message === null
  const group: Call[] = message === null ? [] : [...message]
  // Whatever came in while the last group was on its way to the disk joins this one.
  while (!closing && group.length < maxGroup) {
    const more = receiveMessageOnPort(port)
    if (more === undefined) break
    if (more.message === null) closing = true
    else group.push(...more.message)
  }
  if (group.length > 0) port.postMessage(writer.run(group))
  if (!closing) return
  writer.close()
  port.postMessage(null)
  port.close()
})

/** The writer thread: commits each group it is sent, and answers. */
import { parentPort, workerData } from 'node:worker_threads'
import { GroupWriter } from './group-writer.ts'
import { callOf, type ToWriter, type WriterData } from './worker-message.ts'

const port = parentPort
if (port === null) throw new Error('the writer runs as a worker thread')

const { path, auditKey } = workerData as WriterData
const writer = new GroupWriter(path, auditKey)

port.on('message', (message: ToWriter) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  if (message !== 'close') return port.postMessage(writer.run(message.map(callOf)))
  writer.close()
  return port.close()
})

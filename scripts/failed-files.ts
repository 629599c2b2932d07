/** A reporter for node's test runner: writes the path of each file that holds a failed test, once. */
import type { TestEvent } from 'node:test/reporters'

// oxlint-disable-next-line import/no-default-export -- how the runner finds a reporter
export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const told = new Set<string>()
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || data.file === undefined || told.has(data.file)) continue
    told.add(data.file)
    yield `${data.file}\n`
  }
}

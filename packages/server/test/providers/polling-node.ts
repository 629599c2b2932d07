/** A server process of its own over the folder that it is given, for tests that kill it. */
import { startNode } from './node.ts'

const [folder = '', env = '{}'] = process.argv.slice(2)
await startNode(folder, JSON.parse(env) as Record<string, string>)

/**
 * Loaded before each test file, and before each thread it begins: a writer or hashing thread starts from its bundle, in
 * a fifth of the time. A test file opens dozens of databases, and each has a thread of its own.
 */
import { registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { threads } from './threads.ts'

const command = process.env['GRANTOR_TEST_COMMAND'] ?? ''
const bundled = new Map(
  Object.entries(threads).map(([name, source]) => [
    pathToFileURL(source).href,
    pathToFileURL(join(dirname(command), `${name}.js`)).href,
  ]),
)

registerHooks({
  resolve: (specifier, context, next) => next(bundled.get(specifier) ?? specifier, context),
})

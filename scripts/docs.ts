/** Writes the documentation that is made from code: docs/configuration.md from the list of settings. */
import { writeFileSync } from 'node:fs'
import { configurationPage } from '../packages/server/src/config/page.ts'

writeFileSync(new URL('../docs/configuration.md', import.meta.url), configurationPage())

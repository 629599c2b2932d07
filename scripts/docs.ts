/** Writes the documentation that is made from code: configuration.md from the settings, conformance.md from test titles. */
import { writeFileSync } from 'node:fs'
import { configurationPage } from '@grantor/server'
import { conformancePage } from './conformance.ts'

writeFileSync(new URL('../docs/configuration.md', import.meta.url), configurationPage())
writeFileSync(new URL('../docs/conformance.md', import.meta.url), conformancePage())

/** Writes the documentation that is made from code: configuration.md from the settings, cli.md from the list of commands, declared-objects.md from the table of client fields, conformance.md from test titles. */
import { writeFileSync } from 'node:fs'
import { commandLinePage, commands, outputOptions } from 'grantor'
import { configurationPage } from '@grantor/server'
import { conformancePage } from './conformance.ts'
import { declaredObjectsPage } from './declared-objects.ts'

writeFileSync(new URL('../docs/configuration.md', import.meta.url), configurationPage())
writeFileSync(new URL('../docs/conformance.md', import.meta.url), conformancePage())
writeFileSync(new URL('../docs/cli.md', import.meta.url), commandLinePage(commands, outputOptions))
writeFileSync(new URL('../docs/declared-objects.md', import.meta.url), declaredObjectsPage())

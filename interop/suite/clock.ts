/**
 * Preloaded into a server (`node --import`): its clock is the machine's, plus what the file that SUITE_CLOCK names says in
 * milliseconds. So half a minute passes when a module says so, and nobody waits for it.
 */
import { readFileSync } from 'node:fs'

const file = process.env['SUITE_CLOCK']
if (file === undefined) throw new Error('SUITE_CLOCK names no file')
const machine = Date.now
Date.now = () => machine() + Number(readFileSync(file, 'utf8'))

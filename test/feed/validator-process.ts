/** A validator as a process of its own, to be killed: `validator-process.ts ISSUER CA`. Says when it is ready. */
import { readFileSync } from 'node:fs'
import { startValidator } from './validators.ts'

const [issuer = '', ca = ''] = process.argv.slice(2)
const { validator } = startValidator(issuer, readFileSync(ca, 'utf8'))
await validator.whenReady()
process.stdout.write('ready\n')
setInterval(() => {}, 60_000)

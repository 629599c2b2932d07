/** The first program of docs/resource-toolkit.md, whole: test/first-answer.test.ts runs it against a real server. */
// #region first
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createValidator, protectedResource } from '@grantor/resource'
import { protectedListener } from '@grantor/resource/node'

const { ISSUER: issuer = 'https://localhost:8443', CA: ca = 'data/tls/ca.pem', PORT: port = '3000' } = process.env
const audience = 'https://notes.example'
const credentials = { clientId: 'notes-api', clientSecret: process.env['API_SECRET'] ?? '' }
const validator = createValidator({ audience, ca: readFileSync(ca), issuers: [{ issuer, credentials }] })
const notes = protectedResource({ validator, audience, issuers: [issuer], name: 'Notes', scope: 'notes:read' })

const listener = protectedListener(notes, (_request, response, caller) => {
  response.end(`hello ${caller.subject}\n`)
})
createServer(listener).listen(Number(port), '127.0.0.1')
await validator.whenReady()
console.log('ready')
// #endregion

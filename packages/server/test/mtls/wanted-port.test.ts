/** The port at which a server asks for certificates where none is named: never one that it wants for something else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wantedMtlsPort } from '../../src/http/mtls-listener.ts'
import type { Settings } from '../../src/config/settings.ts'
import { defaults } from '../config/default-settings.ts'

const wanted = (change: Partial<Settings>) => wantedMtlsPort({ ...defaults(), ...change })

test('it is the one that is named, or the usual one', () => {
  assert.equal(wanted({}), 8445)
  assert.equal(wanted({ mtlsPort: 9001, port: 8445 }), 9001)
  assert.equal(wanted({ mtlsPort: 0 }), 0)
  assert.equal(wanted({ mtlsPort: 'off', port: 8445 }), 'off')
})

test('it is any free one where the usual one is another of ours', () => {
  assert.equal(wanted({ port: 8445 }), 0)
  assert.equal(wanted({ managementPort: 8445 }), 0)
  assert.equal(wanted({ demo: true, demoPort: 8445 }), 0)
  assert.equal(wanted({ demo: true, demoMtlsPort: 8445 }), 0)
  assert.equal(wanted({ demoPort: 8445 }), 8445, 'without the demo its port is nobody’s')
})

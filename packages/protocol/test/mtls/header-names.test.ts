/** By which headers a proxy may hand certificates on: by none that means something already. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { certificateHeaderNameProblem } from '../../src/mtls/certificate-header.ts'

test('a header that means something to HTTP, to us or to a proxy is not taken, in whatever case', () => {
  const taken =
    'authorization connection content-length content-type cookie dpop forwarded host origin referer transfer-encoding user-agent x-forwarded-for x-forwarded-proto'
  for (const name of taken.split(' '))
    for (const spelled of [name, name.toUpperCase()])
      assert.equal(certificateHeaderNameProblem(spelled), `${spelled} means something else`)
})

test('the name of a header has letters, digits and hyphens, at most 64', () => {
  for (const good of ['Client-Cert', 'x-ssl-cert', 'a'.repeat(64)])
    assert.equal(certificateHeaderNameProblem(good), null, good)
  for (const bad of ['', 'a b', 'a:b', 'ä', 'a'.repeat(65)])
    assert.equal(certificateHeaderNameProblem(bad), 'must be the name of a header', bad)
})

/** A wrong secret and an unknown client get the same answer, byte for byte. (Time is measured in bench/, not asserted.) */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer, temporaryFolder } from '../../interop/server.ts'
import { type HttpResponse, httpClientOf, type HttpRequest } from './http-client.ts'
import { seed, service, unlimited } from './service-client.ts'

const secret = 'a-wrong-secret-of-32-characters-or-more'

test('RFC 6749 §5.2: a wrong secret and an unknown client are answered alike at every endpoint and by every method', async () => {
  using folder = temporaryFolder()
  await using server = await startServer({
    data: folder.path,
    seed: folder.write('seed.json', seed),
    env: unlimited,
  })
  using http = httpClientOf(server)
  const answerTo = async (path: string, question: HttpRequest) => withoutDate(await http.send(path, question))
  for (const path of ['/token', '/introspect', '/revoke']) {
    const form = { grant_type: 'client_credentials', token: 'anything' }
    const known = await answerTo(path, { basic: [service[0], secret], form })
    assert.equal(known.status, 401)
    assert.deepEqual(await answerTo(path, { basic: ['unheard', secret], form }), known)
    const posted = await answerTo(path, { form: { ...form, client_id: service[0], client_secret: secret } })
    assert.equal(posted.status, 401)
    assert.deepEqual(await answerTo(path, { form: { ...form, client_id: 'unheard', client_secret: secret } }), posted)
  }
})

/** All of an answer but the clock. */
const withoutDate = ({ status, headers, body }: HttpResponse) => ({
  status,
  headers: { ...headers, date: '', ratelimit: '' },
  body,
})

/** Caddy and Traefik, unmodified, end TLS before the server as docs/deploy.md and the Compose file show it; what clients pretend is replaced. */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'node:test'
import { Agent, fetch as undiciFetch } from 'undici'
import { newCertificate } from '../certificates.ts'
import { type FrontProxy, frontProxies } from '../front-proxies.ts'
import { ScriptedPerson } from '../person.ts'
import { freePort } from '../plain-browser.ts'
import { runCommand, startServer, temporaryFolder } from '../server.ts'

const alice = { username: 'alice', password: 'correct-horse' }
const roots = await newCertificate({ name: 'Site', authority: true })
const site = await newCertificate({ name: 'localhost', signer: roots, host: 'localhost' })

/** What only the proxy may say. */
const pretended = {
  'x-forwarded-for': '203.0.113.9',
  'x-forwarded-proto': 'http',
  forwarded: 'for=203.0.113.9;proto=http',
  'client-cert': ':AAAA:',
}

async function holds(proxy: FrontProxy): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const people = await freePort()
  const issuer = `https://localhost:${people}`
  const options = {
    data: folder.path,
    seed: folder.write('seed.json', {
      users: [alice],
      clients: [
        {
          client_id: 'web',
          token_endpoint_auth_method: 'none',
          redirect_uris: ['https://app.example/cb'],
          scope: 'openid',
        },
      ],
    }),
    env: {
      GRANTOR_LOG: 'warn',
      GRANTOR_ISSUER: issuer,
      GRANTOR_TRUST_PROXY: '127.0.0.1',
      GRANTOR_CLIENT_CERT_HEADER_NAME: 'Client-Cert',
      GRANTOR_CLIENT_CERT_HEADER_FORMAT: 'rfc9440',
    },
  }
  const server = stack.use(await startServer(options))
  // The second node is away: where there are two, the first answers for both.
  stack.use(await proxy.start({ people, nodes: [server.port, await freePort()] }, site))
  const agent = stack.adopt(new Agent({ connect: { ca: roots.cert }, localAddress: '127.0.0.2' }), (it) => it.close())
  const through = (url: string, init: { headers?: Record<string, string> } = {}) =>
    undiciFetch(url, {
      ...init,
      headers: { ...init.headers, ...pretended },
      dispatcher: agent,
    }) as unknown as Promise<Response>
  const ask = () => through(`${issuer}/.well-known/openid-configuration`).catch(() => null)
  let first = await ask()
  // Until the proxy has read its own configuration with its certificate, and knows which nodes are there.
  for (let tries = 0; tries < 100 && first?.status !== 200; tries++) {
    await pause(100)
    first = await ask()
  }
  assert.equal(first?.status, 200)
  assert.equal(((await first.json()) as { readonly issuer: string }).issuer, issuer)
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
  const query = new URLSearchParams({
    client_id: 'web',
    response_type: 'code',
    redirect_uri: 'https://app.example/cb',
    scope: 'openid',
    state: 's',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  const person = new ScriptedPerson(through, alice)
  const answer = await person.follow(new URL(`${issuer}/authorize?${query.toString()}`))
  assert.equal(answer.origin, 'https://app.example')
  const form = {
    grant_type: 'authorization_code',
    client_id: 'web',
    code: answer.searchParams.get('code') ?? '',
    redirect_uri: 'https://app.example/cb',
    code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  }
  const token = await undiciFetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: pretended,
    dispatcher: agent,
  })
  assert.equal(token.status, 200, await token.clone().text())
  await server.stop()
  const log = await runCommand(['audit', 'export'], options)
  const addresses = log.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { readonly type: string; readonly ip?: string })
    .filter(({ ip }) => typeof ip === 'string')
  assert.ok(addresses.length > 0)
  for (const { ip } of addresses) assert.equal(ip, '127.0.0.2')
}

for (const proxy of frontProxies) {
  test(`${proxy.name}: somebody signs in, and addresses and certificates are the proxy's word`, async (t) => {
    const missing = proxy.ensure()
    if (missing !== null) return t.skip(missing)
    await holds(proxy)
  })
}

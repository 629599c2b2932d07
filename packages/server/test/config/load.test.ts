/** Loading: precedence, secrets from files, unknown names, wrong values. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { defaultPolicy } from '@grantor/protocol/oauth'
import { policyFrom } from '../../src/config/policy.ts'
import { type LoadedSettings, loadSettings, type SettingInputs } from '../../src/config/load.ts'

describe('loading settings', () => {
  let cwd = ''
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), 'grantor-config-'))
  })
  afterEach(() => rmSync(cwd, { recursive: true }))

  const load = (it: Partial<SettingInputs>) => loadSettings({ flags: {}, env: {}, cwd, ...it })
  const loaded = (it: Partial<SettingInputs>): LoadedSettings => {
    const result = load(it)
    assert.ok(result.kind === 'ok', JSON.stringify(result))
    return result.value
  }
  const problems = (it: Partial<SettingInputs>): string => {
    const result = load(it)
    assert.ok(result.kind === 'error', 'these settings should not load')
    return result.error.join('\n')
  }
  const file = (name: string, content: string): string => {
    writeFileSync(join(cwd, name), content)
    return join(cwd, name)
  }

  test('without anything the defaults of the documentation hold', () => {
    const { settings, sources } = loaded({})
    assert.equal(settings.host, '127.0.0.1')
    assert.equal(settings.port, 8443)
    assert.equal(settings.issuer, null)
    assert.equal(settings.data, join(cwd, 'data'))
    assert.equal(settings.managementPort, 9464)
    assert.equal(settings.workers, 1)
    assert.equal(settings.accessTokenLife, 600)
    assert.deepEqual(sources.port, { kind: 'default', where: 'default' })
  })

  test('a flag beats a variable beats the file, and each value knows where it came from', () => {
    const path = file('grantor.yaml', 'port: 1001\nhost: 127.0.0.2\nlog: warn\nmanagement:\n  port: 1009\n')
    const { settings, sources } = loaded({
      flags: { port: '1003' },
      env: { GRANTOR_PORT: '1002', GRANTOR_HOST: '127.0.0.3' },
    })
    assert.deepEqual(
      [settings.port, settings.host, settings.log, settings.managementPort],
      [1003, '127.0.0.3', 'warn', 1009],
    )
    assert.deepEqual(sources.port, { kind: 'flag', where: '--port' })
    assert.deepEqual(sources.host, { kind: 'variable', where: 'GRANTOR_HOST' })
    assert.deepEqual(sources.log, { kind: 'file', where: `log in ${path}` })
    assert.deepEqual(sources.managementPort, { kind: 'file', where: `management.port in ${path}` })
  })

  test('an empty variable is as good as none', () => {
    assert.equal(loaded({ env: { GRANTOR_ISSUER: '', GRANTOR_PORT: '' } }).settings.port, 8443)
  })

  test('a secret may lie in a file; the line end is not part of it', () => {
    const key = 'k'.repeat(40)
    const path = file('key', `${key}\n`)
    for (const it of [
      { env: { GRANTOR_MASTER_KEY_FILE: path } },
      { env: { GRANTOR_MASTER_KEY_FILE: 'key' } },
      { flags: { masterKeyFile: path } },
    ]) {
      assert.equal(loaded(it).settings.masterKey, key)
    }
    file('grantor.yaml', 'master_key_file: key\n')
    assert.equal(loaded({}).settings.masterKey, key)
  })

  test('a secret given in two ways by one source is refused rather than guessed', () => {
    const path = file('key', 'k'.repeat(40))
    const said = problems({ env: { GRANTOR_MASTER_KEY: 'z'.repeat(40), GRANTOR_MASTER_KEY_FILE: path } })
    assert.match(said, /GRANTOR_MASTER_KEY and GRANTOR_MASTER_KEY_FILE are both given/)
  })

  test('a master key has no flag: every process of the machine could read it', () => {
    assert.equal(loaded({ flags: { masterKey: 'k'.repeat(40) } }).settings.masterKey, null)
  })

  test('a secret file that is missing or empty is named', () => {
    assert.match(problems({ env: { GRANTOR_MASTER_KEY_FILE: '/nowhere/key' } }), /nowhere.*ENOENT/)
    assert.match(problems({ env: { GRANTOR_MASTER_KEY_FILE: file('none', '\n') } }), /none is empty/)
  })

  test('an unknown variable is an error that names the nearest known one', () => {
    assert.match(
      problems({ env: { GRANTOR_ISSUR: 'x' } }),
      /unknown variable GRANTOR_ISSUR; did you mean GRANTOR_ISSUER\?/,
    )
    assert.match(
      problems({ env: { GRANTOR_FROBNICATE_EVERYTHING: '1' } }),
      /unknown variable GRANTOR_FROBNICATE_EVERYTHING$/,
    )
  })

  test('variables of others are none of our business', () => {
    loaded({ env: { PATH: '/bin', GRANTORX: '1', GRANTOR_TEST_DATABASE_URL: 'postgres://x' } })
  })

  test('a Kubernetes service link is explained instead of misread', () => {
    assert.match(problems({ env: { GRANTOR_PORT: 'tcp://10.0.0.1:8443' } }), /enableServiceLinks: false/)
    assert.match(problems({ env: { GRANTOR_SERVICE_HOST: '10.0.0.1' } }), /enableServiceLinks: false/)
  })

  test('names that later releases know are accepted with a warning', () => {
    const { warnings } = loaded({ env: { GRANTOR_LIMIT_FUTURE: 'off' } })
    assert.deepEqual(warnings, ['GRANTOR_LIMIT_FUTURE has no effect yet'])
    file('grantor.yaml', 'limit:\n  future: off\n  token: off\n')
    assert.deepEqual(loaded({}).warnings, ['limit.future has no effect yet'])
  })

  test('an unknown key in the file is an error that names the nearest known one', () => {
    const path = file('grantor.yaml', 'tls:\n  certt: x\n')
    assert.equal(problems({}), `${path}: unknown setting tls.certt; did you mean tls.cert?`)
  })

  test('a named file must exist; the default one need not', () => {
    assert.match(problems({ env: { GRANTOR_CONFIG: 'absent.yaml' } }), /absent\.yaml cannot be read \(ENOENT\)/)
    assert.equal(loaded({ flags: { config: file('other.yaml', 'port: 7000') } }).settings.port, 7000)
  })

  test('a broken file is named with its line', () => {
    file('grantor.yaml', 'port: 1\nhost: [\n')
    assert.match(problems({}), /grantor\.yaml: line \d+:/)
    file('grantor.yaml', '- port\n')
    assert.match(problems({}), /must be a mapping/)
    file('grantor.yaml', 'a: &a [x,x]\nport: *a\n')
    assert.match(problems({}), /aliases are not allowed/)
    file('grantor.yaml', 'port: 1\nport: 2\n')
    assert.match(problems({}), /line 2: Map keys must be unique/)
  })

  test('a name that is misspelt is told also where nothing is given to it; a section without a line is none', () => {
    for (const text of ['issuerr:\n', 'tls:\n  certt:\n', 'tsl: {}\n']) {
      file('grantor.yaml', text)
      assert.match(problems({}), /unknown setting/, text)
    }
    file('grantor.yaml', 'tls:\n  # cert: x\nlimit:\nmanagement: {}\nissuer:\n')
    assert.equal(loaded({}).settings.issuer, null)
  })

  test('a setting is given once, whichever way its name is written', () => {
    file('grantor.yaml', 'management.port: 1\nmanagement:\n  port: 2\n')
    assert.match(problems({}), /management\.port is given twice/)
  })

  test('a text of digits is what is written, and not the number that YAML sees', () => {
    file(
      'grantor.yaml',
      `master_key: ${'0123456789'.repeat(4)}\nadmin:\n  password: 0042\nport: 010\ntheme:\n  name: 1e3\n`,
    )
    const { settings } = loaded({})
    assert.equal(settings.masterKey, '0123456789'.repeat(4))
    assert.deepEqual([settings.adminPassword, settings.themeName, settings.port], ['0042', '1e3', 10])
  })

  test('a tag that nobody knows and a list of anything but texts are refused', () => {
    file('grantor.yaml', 'admin:\n  password: !env ADMIN_PASSWORD\n')
    assert.match(problems({}), /grantor\.yaml: line 2: .*!env/)
    for (const list of ['[{ a: 1 }]', '[a, [b]]', '[a, ~]']) {
      file('grantor.yaml', `registration:\n  scopes: ${list}\n`)
      assert.match(problems({}), /registration\.scopes must be a list of texts/, list)
    }
  })

  test('paths in the file start at the file, others at the working folder', () => {
    const { settings } = loaded({ env: { GRANTOR_DATA: 'here' } })
    assert.equal(settings.data, join(cwd, 'here'))
    file('grantor.yaml', 'data: ../there\nseed: /abs/seed.yaml')
    assert.equal(loaded({}).settings.data, join(cwd, '..', 'there'))
    assert.equal(loaded({}).settings.seed, '/abs/seed.yaml')
  })

  const wrong: readonly (readonly [string, string, RegExp])[] = [
    ['GRANTOR_PORT', '65536', /GRANTOR_PORT must be a port number .*not "65536"/],
    ['GRANTOR_PORT', '-1', /port number/],
    ['GRANTOR_PORT', '8443x', /port number/],
    ['GRANTOR_PORT', '1e3', /port number/],
    ['GRANTOR_WORKERS', '0', /whole number from 1 to 64/],
    ['GRANTOR_LOG', 'loud', /one of trace, debug, info/],
    ['GRANTOR_TLS_MODE', 'maybe', /one of on, off/],
    ['GRANTOR_DEMO', 'yes please', /true or false/],
    ['GRANTOR_LIFETIME_ACCESS_TOKEN', '1s', /duration from 10s to 1d/],
    ['GRANTOR_LIFETIME_ACCESS_TOKEN', '10 minutes', /duration/],
    ['GRANTOR_KEY_ROTATION', '1e9d', /duration/],
  ]
  for (const [name, value, said] of wrong) {
    test(`${name}=${value} is refused with what it must be`, () => {
      assert.match(problems({ env: { [name]: value } }), said)
    })
  }

  test('a wrong secret is refused without being repeated', () => {
    file('grantor.yaml', 'master_key: [zz9canary]\n')
    assert.doesNotMatch(problems({}), /zz9canary/)
  })

  test('a limit is a count per duration, or off', () => {
    const limit = (value: string) => loaded({ env: { GRANTOR_LIMIT_TOKEN: value } }).settings.limitToken
    assert.deepEqual(['off', '600/1m', '5/90'].map(limit), [
      'off',
      { quota: 600, window: 60 },
      { quota: 5, window: 90 },
    ])
    for (const value of ['600', '600/', '/1m', '0/1m', '1/2/3', 'none', '-1/1m']) {
      assert.match(
        problems({ env: { GRANTOR_LIMIT_TOKEN: value } }),
        /GRANTOR_LIMIT_TOKEN must be a count per duration/,
      )
    }
  })

  test('durations are read in seconds, minutes, hours and days', () => {
    const life = (value: string): number =>
      loaded({ env: { GRANTOR_LIFETIME_ACCESS_TOKEN: value } }).settings.accessTokenLife
    assert.deepEqual(['90', '90s', '5m', '2h', '1d'].map(life), [90, 90, 300, 7200, 86_400])
  })

  test('every lifetime has a setting, whose default is that of the policy', () => {
    assert.deepEqual(policyFrom(loaded({}).settings), defaultPolicy)
    const lifetimes = { id_token: 20, authorization_code: 30, refresh_token: 800, refresh_token_idle: 700 }
    const more = { refresh_token_retry: 0, interaction: 90, session: 900, session_idle: 600, pushed_request: 50 }
    const text = Object.entries({ ...lifetimes, ...more }).map(([name, seconds]) => `  ${name}: ${seconds}\n`)
    file('grantor.yaml', `lifetime:\n${text.join('')}`)
    assert.deepEqual(policyFrom(loaded({}).settings), {
      ...defaultPolicy,
      idTokenTtl: 20,
      codeTtl: 30,
      refreshMaxTtl: 800,
      refreshIdleTtl: 700,
      refreshRetryWindow: 0,
      interactionTtl: 90,
      sessionMaxTtl: 900,
      sessionIdleTtl: 600,
      pushedRequestTtl: 50,
    })
  })
})

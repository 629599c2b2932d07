/** `grantor api check` */
import { readFile } from 'node:fs/promises'
import { getCACertificates } from 'node:tls'
import { isLoopbackHost } from '@grantor/protocol/http'
import { ok } from '@grantor/protocol/result'
import { localCaFile } from '@grantor/server'
import { credentialsOf } from '../../api-check/credentials.ts'
import { findDocument } from '../../api-check/document.ts'
import { runChecks } from '../../api-check/engine.ts'
import { openExchange } from '../../api-check/exchange.ts'
import { printReport } from '../../api-check/report.ts'
import { namedFile } from '../../perform/credentials.ts'
import { caOption } from '../../login/target.ts'
import { argument, type Command, type CommandContext, countOption, hasFlag, textOption } from '../../program/command.ts'
import { type CommandResult, done, failure } from '../../program/exit.ts'
import { readSettings } from '../../program/settings.ts'

const text = (flag: string, description: string, placeholder: string) =>
  ({ flag, description, takes: 'text', placeholder }) as const

export const apiCheck: Command = {
  name: 'check',
  description: 'look at an API through its OpenAPI document, and say which conventions it does not keep',
  args: [{ form: '<url>', description: 'the OpenAPI document, or the API that has one at a usual place' }],
  options: [
    text('--token', 'an access token to send', 'token'),
    text('--token-file', 'a file with it; an argument can be seen in the list of processes', 'file'),
    text('--scopeless-token', 'a good token that lacks the scope of the list, to be refused for it', 'token'),
    text('--scopeless-token-file', 'a file with it', 'file'),
    {
      flag: '--header',
      description: 'a header to send, as `Name: value` (repeat for more)',
      takes: 'list',
      placeholder: 'header',
    },
    text('--client-id', 'a client that gets a token by client credentials from --issuer', 'id'),
    text('--client-secret', 'its secret', 'secret'),
    text('--secret-file', 'a file with it', 'file'),
    text('--scope', 'what to ask for', 'scopes'),
    text('--resource', 'the API that the token is for (RFC 8707)', 'uri'),
    { flag: '--write', description: 'also check what changes something: creates from the examples, and deletes again' },
    { flag: '--requests', description: 'send at most so many (200)', takes: 'count', placeholder: 'number' },
    { flag: '--time', description: 'take at most so many seconds (120)', takes: 'count', placeholder: 'seconds' },
    caOption,
  ],
  async run(called) {
    const filled = await withFiles(called)
    if (filled.kind === 'error') return filled
    const context = filled.value
    const url = URL.parse(argument(context, 0))
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
      return failure('invalid', `${argument(context, 0)} is no http or https address`)
    const trusted = await authorities(context, url)
    if (trusted.kind === 'error') return trusted
    const exchange = openExchange(
      { requests: countOption(context, '--requests') ?? 200, time: (countOption(context, '--time') ?? 120) * 1000 },
      trusted.value,
    )
    const credentials = await credentialsOf(context, exchange)
    if (credentials.kind === 'error') return credentials
    const found = await findDocument(url, credentials.value, exchange)
    if (found.kind === 'error')
      return failure('unavailable', 'no OpenAPI document was found', {
        where: found.error,
        fix: 'give the address of the document itself; --ca for a certificate that is not known, --token where it needs one',
      })
    const { model, url: at } = found.value
    const write = hasFlag(context, '--write')
    const scopelessToken = textOption(context, '--scopeless-token') ?? null
    const checked = { origin: at.origin, model, credentials: credentials.value, write, scopelessToken }
    const results = await runChecks(checked, exchange)
    await printReport(context.out, results, { document: at.href, title: model.title, requests: exchange.sent() })
    const failures = results.filter(({ outcome }) => outcome === 'fail').length
    return failures === 0 ? done : failure('failed', failures === 1 ? 'one check failed' : `${failures} checks failed`)
  },
}

const inFiles = [
  ['--token', '--token-file'],
  ['--scopeless-token', '--scopeless-token-file'],
  ['--client-secret', '--secret-file'],
] as const

/** Sets options from files as if they had been given directly. */
async function withFiles(context: CommandContext): Promise<CommandResult<CommandContext>> {
  const options = new Map(context.options)
  for (const [flag, fileFlag] of inFiles) {
    const read = await namedFile(context, fileFlag)
    if (read.kind === 'error') return read
    if (read.value === undefined) continue
    if (options.has(flag)) return failure('invalid', `${flag} and ${fileFlag} are the same: give one of them`)
    options.set(flag, read.value.replace(/\r?\n$/, ''))
  }
  return ok({ ...context, options })
}

/** The trusted authorities: Node's own, and the named one or, on this machine, the local CA. */
async function authorities(context: CommandContext, { hostname }: URL): Promise<CommandResult<readonly string[]>> {
  const named = await namedFile(context, '--ca')
  if (named.kind === 'error') return named
  const read = isLoopbackHost(hostname) ? readSettings(context) : null
  const data = read?.kind === 'ok' ? read.value.settings.data : null
  const local = data === null ? null : await readFile(localCaFile(data), 'utf8').catch(() => null)
  return ok([...getCACertificates('default'), ...[named.value ?? local].filter((it) => typeof it === 'string')])
}

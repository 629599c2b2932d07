/** `grantor gateway` */
import { ok } from '@grantor/protocol/result'
import { type Command, type CommandContext, countOption, textOption } from '../../program/command.ts'
import { type CommandResult, failure } from '../../program/exit.ts'

const usualPort = 8446

export const gateway: Command = {
  name: 'gateway',
  description: 'accept tokens in front of an API: forward-auth for other proxies, and a reverse proxy',
  takesNoSettings: true,
  options: [
    { flag: '--config', description: 'the file of the gateway, YAML or JSON', takes: 'text', placeholder: 'file' },
    { flag: '--port', description: 'the port; GRANTOR_GATEWAY_PORT, else 8446', takes: 'count', placeholder: 'port' },
  ],
  run: async (context) => {
    const stopped = context.environment.stopped()
    let reload = (): void => {}
    context.environment.onHangup(() => reload())
    const name = textOption(context, '--config')
    if (name === undefined) return failure('invalid', '--config is missing', { fix: 'name the file of the gateway' })
    const port = portOf(context)
    if (port.kind === 'error') return port
    // Loaded only for this command, because no other needs a proxy.
    const { serveGateway } = await import('./serve-gateway.ts')
    return serveGateway({ context, stopped, onReload: (act) => void (reload = act) }, { name, port: port.value })
  },
}

function portOf(context: CommandContext): CommandResult<number> {
  const flag = countOption(context, '--port')
  const given = flag ?? (context.environment.env['GRANTOR_GATEWAY_PORT'] || usualPort)
  const port = Number(given)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return ok(port)
  const source = flag === undefined ? 'GRANTOR_GATEWAY_PORT' : '--port'
  return failure('invalid', `${source}: ${String(given)} is not a port`)
}
